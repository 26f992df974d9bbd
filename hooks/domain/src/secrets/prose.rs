//! Secrets in sentences: made-up words near the name of a secret, and the word that the sentence says to be one: after
//! the name and a copula, a sign or "with" (`the password is Lemon.105Cp`).

use std::ops::Range;

use super::fields::{SecretName, is_of_secret, names, names_secret};
use super::found::{FoundSecrets, MASK, is_plain};
use super::shapes::{Shape, begins, behind_last, ends, has, holds, spaced, until, without_start};

/// How many words before and after a name are searched.
const WORDS_NEAR: usize = 10;

/// Words that tie the next word to the name: `the password is …`.
const TIES: &str = "is was are been s 's = == : := -> => → ⇒ — – - to as now jetzt dann nu сейчас ahora ora \
    agora still ist war wäre lautet heißt lautete sei auf est était soit es era é è a sea será sia foi fue sera \
    sarà seria is: be be: would will being equals reads using use with mit avec con com met z с med jest było \
    będzie wordt wird devient reste op na je to: это теперь был будет на är var blir er 是 为 為 ： は が は、 은 는 이 가 \
    olarak";

/// The length of the longest of them, in bytes.
const LONGEST_TIE: usize = 12;

/// Words that tie the word before them to the name: `… as the password`.
const TIES_BEFORE: &str =
    "as is was for als ist war für comme est pour como es para come è é jako som är er как sebagai";

/// Articles and the like between such a word and the name.
const ARTICLES: &str =
    "a an the my our your its their new this das der die mein le la mon el mi il o minha het mijn";

/// Words after which a secret follows where one is due: `log in as bob with …`.
const WITH: &str = "with mit avec con com met z с med using";

/// Words between a user and a password.
const AND: &str = "and und et y e i en och и";

/// What is no folder before a slash.
const USERS: &str = "admin root user test guest demo postgres sa";

/// Words before a name after which the secret follows: `use the token …`.
const USE: &str = "use usa utilise nimm benutze verwende gebruik użyj";

/// Words after which a place or a person follows, and no secret.
const PREPOSITIONS: &str = "in on at for from of by per via than under into over before after against until since im am an für von vom bei aus durch \
    über unter seit dans sur pour de du des par chez en del para por sobre nel nella di da su no em voor bij van w do dla od в \
    для от из i på för av için ile";

/// How names begin that commands have as operands: `kubectl get secret my-app-tls`.
const MACHINES: [&str; 3] = ["secret", "token", "cred"];

/// How names begin that stand for a user together with a password.
const PAIRS: &str = "cred|login details|zugangsdaten|anmeldedaten|identifiants|inloggegevens|dane |danych |данные|учетн";

/// What a name names together with one of these is no secret: `password policy`.
const HEADS: &str = "algorithm algorithms auth authentication box budget bucket budgets change check checks class column columns \
    confirmation count dialog endpoint endpoints expiry field fields file files flow form format function generation generator \
    handling hash hasher hashes hashing header headers input length library lifetime limit limits login manager method model \
    name names page policies policy prompt provider refresh requirement requirements reset resets rotation rule rules scanning \
    scope scopes service size storage store strategy strength table test tests type types usage validation validator variable \
    vault";

/// Opening and closing quotes.
const QUOTES: [&str; 2] = ["\"'`„“«»‘「『", "\"'`“”«»’」』"];

/// How a name stands in its sentence.
struct Mention<'s> {
    /// How it names a secret, as in `names.tsv`.
    kind: &'s str,
    /// It is a part of the name of something else: `password policy`.
    is_compound: bool,
    /// It names what machines make and commands take.
    is_machine: bool,
    /// It names a user together with a password.
    is_pair: bool,
    /// A sign follows it.
    is_signed: bool,
    /// It follows `with` or `use`.
    is_after_with: bool,
    /// The sentence may be code.
    is_code: bool,
}

/// How a word follows a name.
struct Following<'t> {
    /// How many words stand between.
    place: usize,
    /// How many more words are tied to the name; 2 for the first.
    tied: usize,
    /// How many words stand between it and the last tie, or the name.
    since_tie: usize,
    /// A user may stand before it: `log in with bob and …`.
    is_with_user: bool,
    /// The word before it.
    last: &'t str,
    /// Letters of a script without spaces are between.
    is_glued: bool,
}

impl Mention<'_> {
    /// The shape of the words that the sentence says to be the secret, if the next one is said to be; `None` otherwise.
    fn said_shape(&self, at: &Following, word: &str) -> Option<Shape> {
        let is_direct = at.place == 0 && (!self.is_machine || self.is_after_with);
        // `compared with timing-safe-equal`
        let is_with = holds(WITH, at.last);
        let has_copula =
            at.tied > 1 && !is_with || at.place == 0 && (self.is_signed || at.is_glued);
        // `the password was once …`
        let is_near = || {
            let is_place = is_with || holds(PREPOSITIONS, at.last);
            at.since_tie < 3 && !self.is_machine && !is_place
        };
        let (shape, is_said) = match self.kind {
            _ if self.is_compound => return None,
            _ if self.is_pair => (Shape::ChosenNotName, !holds(PREPOSITIONS, at.last)),
            "sign" if self.is_code || at.last == "/" => (Shape::ChosenNotName, at.last == "/"),
            "sign" => {
                let is_user_named = is_with || at.is_with_user && holds(AND, at.last);
                (Shape::Chosen, at.place > 1 && is_user_named)
            }
            "tied" => (Shape::ChosenNotName, has_copula || is_direct),
            "loose" => {
                let digits = word.bytes().filter(u8::is_ascii_digit).count();
                let is_serial = digits > 0 && !word.contains(char::is_lowercase) && has(word, "-");
                (
                    Shape::ChosenNotName,
                    has_copula && (digits > 1 || is_serial),
                )
            }
            "capitals" => return None,
            _ if self.is_code => (Shape::ChosenNotName, has_copula || is_direct),
            _ if has_copula || is_direct => (Shape::Chosen, true),
            _ => (Shape::ChosenNotName, is_near()),
        };
        is_said.then_some(shape)
    }
}

impl<'t> FoundSecrets<'t> {
    /// Masks the secrets near `name`, in its sentence.
    pub(super) fn sentence(&mut self, name: &SecretName) {
        let Range { start, end } = name.range;
        // The ending of the word, in any language.
        let rest = self.near(end);
        let is_ending = |c: char| c.is_alphabetic() && c < '\u{2E80}';
        let has_endings = self.before(end).ends_with(is_ending);
        let ending = match has_endings {
            true => rest.len() - rest.trim_start_matches(is_ending).len(),
            false => 0,
        };
        let most = if end - start < 5 { 1 } else { 4 };
        let line = behind_last(self.before(start), "\n");
        let end = end + ending;
        let rest = until(self.near(end), "\n");
        // Most sentences have no word that could be a secret.
        let is_small = |byte: u8| matches!(byte, b'a'..=b'z' | b' ' | b'.' | b',' | b'-');
        let is_part = ending > most && self.slice(&name.range).is_ascii();
        let is_plain = line.bytes().all(is_small) && rest.bytes().all(is_small);
        let dashes = || line.matches('-').count() + rest.matches('-').count();
        if is_part || begins(rest, "_-([/=@") || rest.starts_with("::") || is_plain && dashes() < 2
        {
            return;
        }
        let mention = self.mention(name, line, rest);
        if !self.behind(name, &mention, end, rest) {
            self.in_front(name, &mention, start - line.len(), line);
        }
    }

    /// How `name` stands between `line` and `rest`.
    fn mention<'n>(&self, name: &'n SecretName, line: &str, rest: &str) -> Mention<'n> {
        let text = self.slice(&name.range).to_lowercase();
        let mut before = spaced(line, 0).rev().filter_map(|word| line.get(word));
        let is_after_with = before.find(|word| !holds(ARTICLES, word));
        let is_name = |text: &str| text.ends_with(|c: char| c.is_ascii_alphanumeric());
        let calls = |text: &str| {
            let mut opened = text.match_indices('(');
            opened.any(|(at, _)| text.get(..at).is_some_and(is_name))
        };
        let is_call = calls(line) || calls(rest) || is_name(line) && rest.starts_with('(');
        let is_of_code =
            |byte| matches!(byte, b'{' | b'}' | b'<' | b'>' | b';' | b'=' | b'`' | b'$');
        Mention {
            kind: name.sentence,
            is_compound: is_compound(rest),
            is_machine: MACHINES.iter().any(|start| text.starts_with(start)),
            is_pair: PAIRS.split('|').any(|start| text.starts_with(start)),
            is_signed: begins(without_start(rest, " "), ":=："),
            is_after_with: is_after_with.is_some_and(|word| holds(WITH, word) || holds(USE, word)),
            is_code: is_call || line.bytes().any(is_of_code) || rest.bytes().any(is_of_code),
        }
    }

    /// Masks the secret in `rest`, which follows `name` at `end`. True if there is one.
    fn behind(&mut self, name: &SecretName, mention: &Mention, end: usize, rest: &'t str) -> bool {
        let is_any = name.shape == "any";
        let is_loose = is_loose(name);
        let least = least(name);
        let (mut before, last) = (end, end + rest.trim_end_matches(['"', '\'', ' ']).len());
        // How many words are still tied to the name, and whether a sign ties them.
        let mut has_sign = begins(rest, ":=：");
        let mut at = Following {
            place: 0,
            tied: usize::from(name.sentence != "sign") + usize::from(has_sign),
            since_tie: 0,
            is_with_user: false,
            last: "",
            is_glued: false,
        };
        let words = without_start(rest, " :=：>→");
        let words = spaced(words, end + rest.len() - words.len()).take(WORDS_NEAR);
        for range in words {
            let word = self.slice(&range);
            if has(word, MASK) {
                return true;
            }
            let quoted = until(until(self.near(range.start), "\n"), QUOTES[1]).trim_end();
            let between = self.slice(&(before..range.start));
            let is_quoted = ends(between.trim_end(), QUOTES[0]) && !begins(between, QUOTES[1]);
            before = range.end;
            at.is_glued = !between.is_ascii();
            let is_tied = at.tied > 1 || between.contains(char::is_alphabetic);
            let is_quoted = is_quoted
                && (is_tied || (between.starts_with(' ') && at.place == 0 && has(quoted, " ")));
            let is_last = has_sign && at.place > 0 && range.end == last && !has(rest, "}");
            let is_told = is_any && !mention.is_compound && (is_quoted || is_last);
            let text = if is_quoted { quoted } else { word };
            let bare = self.bare(range.clone());
            let is_type = is_plain(self.slice(&bare)) || is_plain(text);
            let is_number = name.shape.starts_with("digits") && at.tied > 0;
            if is_told && text.len() > 3 && !is_type && !names_secret(text) {
                self.pieces(range.start..range.start + text.len(), false);
                return true;
            } else if is_number && Shape::Digits(3).fits(self.slice(&bare)) {
                self.mask(bare);
                return true;
            }
            let user = word.split_once(['/', ':']).map(|(user, _)| user);
            let is_login = user.is_some_and(|user| user.chars().all(char::is_alphabetic));
            let is_meant = match name.sentence {
                "sign" => has_sign || is_login,
                _ => at.tied > 0 || !is_loose,
            };
            let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
            let shape = match is_word {
                true => None,
                false => mention.said_shape(&at, word),
            };
            if is_meant && self.said(bare.clone(), least)
                || shape.is_some_and(|shape| self.said(bare, shape))
            {
                return true;
            }
            has_sign = ends(word, ":=：→⇒") || matches!(word, "->" | "=>" | "/");
            let is_tie = has_sign || word.len() <= LONGEST_TIE && holds(TIES, &word.to_lowercase());
            at = Following {
                place: at.place + 1,
                tied: at.tied.saturating_sub(1).max(2 * usize::from(is_tie)),
                since_tie: if is_tie { 0 } else { at.since_tie + 1 },
                is_with_user: at.is_with_user || holds(WITH, word),
                last: word,
                is_glued: false,
            };
            if ends(word, ".?!;") {
                break;
            }
        }
        false
    }

    /// Masks the secret in `line`, which begins at `start` and ends where `name` begins.
    fn in_front(&mut self, name: &SecretName, mention: &Mention, start: usize, line: &'t str) {
        let most = if is_loose(name) { 0 } else { WORDS_NEAR };
        let last = line.trim_end();
        let mut is_tied = !last.is_ascii() && last.len() == line.len() || ends(last, "(");
        for range in spaced(line, start).rev().take(most) {
            let (word, bare) = (self.slice(&range), self.bare(range.clone()));
            let is_chosen =
                is_tied && !mention.is_compound && self.said(bare.clone(), Shape::Chosen);
            if is_chosen || self.said(bare, least(name)) || ends(word, ".?!;") {
                break;
            }
            is_tied = holds(TIES_BEFORE, word) || is_tied && holds(ARTICLES, word);
        }
    }

    /// Masks the word at `range`, or the password of `user:password`, if it has this shape and is not a name.
    fn said(&mut self, range: Range<usize>, shape: Shape) -> bool {
        let word = self.slice(&range);
        let password = word.find([':', '/', '=']).map_or(0, |sign| sign + 1);
        let found = [password, 0].into_iter().find(|start| {
            let text = word.get(*start..).unwrap_or_default();
            let is_chosen = matches!(shape, Shape::Chosen | Shape::ChosenNotName);
            // `src/app2` is a path, `root/Rain-2` a login.
            let user = word.get(..start.saturating_sub(1)).unwrap_or_default();
            let is_path = has(word.get(..*start).unwrap_or_default(), "/") && !holds(USERS, user);
            if is_chosen && is_path {
                return false;
            }
            if !shape.fits(text) || is_plain(text) || begins(text, "$-") {
                return false;
            }
            // `apiKey2` and `bcrypt12` are names.
            let bare = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let is_word = bare.chars().all(|c| c.is_ascii_lowercase());
            let digits = text.len() - bare.len();
            let is_numbered = text.bytes().filter(u8::is_ascii_digit).count() > 2;
            let is_name = (is_of_secret(bare) || names_secret(text)) && !(is_chosen && is_numbered);
            let is_call = self.from(range.end).starts_with('(');
            !is_name && !is_call && (is_chosen || !is_word || text.len() > 9 || digits > 2)
        });
        if let Some(start) = found {
            self.pieces(range.start + start..range.end, false);
        }
        found.is_some()
    }
}

/// True if only the next word is tied to `name`.
fn is_loose(name: &SecretName) -> bool {
    matches!(name.sentence, "sign" | "loose" | "capitals")
}

/// The shape of a secret anywhere near `name`.
fn least(name: &SecretName) -> Shape {
    Shape::Made(if name.shape == "made 12" { 12 } else { 6 })
}

/// True if `text` names secrets only as parts of names of something else: `password policy`.
pub(super) fn names_only_parts(text: &str) -> bool {
    names(text).all(|name| is_compound(text.get(name.range.end..).unwrap_or_default()))
}

/// True if `rest`, what follows a name, makes it the name of something else: `policy` after `password`.
fn is_compound(rest: &str) -> bool {
    let rest = rest
        .strip_prefix("'s")
        .or(rest.strip_prefix("’s"))
        .unwrap_or(rest);
    let next = until(without_start(rest, " -"), " .,:;?!\"'`)=");
    is_head(next)
}

/// True for a word that makes the name of a secret the name of something else.
pub(super) fn is_head(word: &str) -> bool {
    holds(HEADS, &word.to_ascii_lowercase())
}
