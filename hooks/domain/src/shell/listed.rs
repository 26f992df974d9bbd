//! Lists of words, parted by blanks, and the words that say by themselves how far something reaches.

use memchr::memmem;

/// True where `word` is one of the words of `list`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let list = list.as_bytes();
    let is_end = |at: Option<usize>| {
        at.and_then(|at| list.get(at))
            .is_none_or(|byte| *byte == b' ')
    };
    !word.is_empty()
        && !word.contains(' ')
        && memmem::find_iter(list, word)
            .any(|at| is_end(at.checked_sub(1)) && is_end(Some(at + word.len())))
}

/// Words by which the name of a script, a target or an operand of an unknown program says that it goes beyond.
const BEYOND: &str = "push publish deploy deployment destroy delete drop release apply rm remove prune purge \
    reset login logout upload send prod production live staging force sudo migrate rollback seed kill uninstall \
    revoke grant install eval exec run-script post submit merge promote wipe truncate nuke dlx add create global link upgrade \
    import config set plugin allow trust clean cleanup distclean clobber mrproper preinstall postinstall shell share stash flush erase implode unregister";

/// True where a part of `text` is a word that says it reaches further: `deploy-all`, `deployAll`, `DEPLOY_ALL`.
pub(super) fn says_beyond(text: &str) -> bool {
    let says = |word: &str| is_listed(BEYOND, &word.to_ascii_lowercase());
    let mut parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| {
        let capitals = part.match_indices(|c: char| c.is_ascii_uppercase());
        let ends = capitals.map(|(at, _)| at).chain([part.len()]);
        let mut start = 0;
        let mut words = ends.map(|end| part.get(std::mem::replace(&mut start, end)..end));
        // An option's words are not parted so: `--globalSetup` is not `--global`.
        says(part) || !text.starts_with('-') && words.any(|word| word.is_some_and(says))
    })
}
