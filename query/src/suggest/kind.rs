//! Guesses the kind of a question from its words; registry.toml can say otherwise.

use plantune_domain::agreement::text::{Reading, TokenKind};
use plantune_domain::config::QuestionKind;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;

/// Words of a header or an option for a decision on which much is built.
const ARCHITECTURE: &str = "\
    architecture architectural framework database schema protocol backend storage stack \
    migration authentication auth api infrastructure hosting platform runtime dependency \
    library architektur datenbank arquitectura архитектура 架构 数据库";

/// The beginnings of options that go on, with this or with the next thing, or that stop.
const GO_ON: &str = "\
    next|continue|proceed|go on|go ahead|move on|move to|skip|done|finish|more|stay|stop|pause|\
    resume|later|not now|defer|start now|work on it|that's all|weiter|fortfahren|überspringen|\
    fertig|später|continuer|suivant|passer|terminer|continuar|siguiente|saltar|seguir|parar|\
    arrêter|anhalten|остановить|próximo|avanti|continua|дальше|продолжить|пропустить";

/// The same in scripts that write no spaces.
const GO_ON_UNSPACED: &[&str] = &[
    "继续", "下一", "跳过", "完成", "続け", "次へ", "次の", "스킵", "계속", "다음", "停止", "暂停",
    "중지",
];

/// Words of a header or an option that asks what belongs to a piece of work, or what it is called.
const SCOPE: &str = "\
    scope name naming title rename include exclude priority phase label umfang namen nombre \
    alcance nom название 范围 命名 名称";

/// The kind of the question `key`, as the registry says, or as header and options let guess.
///
/// Architecture is tried first, as the most expensive to get wrong; then options of which two go on or stop; then scope
/// and names. Everything else is content. The text is not read: it also names what is worked on.
pub(super) fn kind(
    registry: &Registry,
    key: &str,
    header: Option<&str>,
    options: &[String],
) -> QuestionKind {
    if let Some(kind) = registry.kind_of(key) {
        return kind;
    }
    let labels: Vec<String> = options
        .iter()
        .map(|label| strip_mark(label).0.to_lowercase())
        .collect();
    let texts = labels.iter().map(String::as_str).chain(header);
    let read: Vec<String> = texts.flat_map(words).collect();
    let holds = |list: &str| read.iter().any(|word| is_one(word, list));
    if holds(ARCHITECTURE) {
        return QuestionKind::Architecture;
    }
    if labels.iter().filter(|label| goes_on(label)).count() > 1 {
        return QuestionKind::GoOn;
    }
    if holds(SCOPE) {
        return QuestionKind::Scope;
    }
    QuestionKind::Content
}

fn goes_on(label: &str) -> bool {
    let begins = |start: &str| {
        let rest = label.strip_prefix(start);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    GO_ON.split('|').any(begins) || GO_ON_UNSPACED.iter().any(|start| label.starts_with(start))
}

/// True for a word of `list`, and for one that begins with an unspaced word of it.
fn is_one(word: &str, list: &str) -> bool {
    list.split(' ')
        .any(|one| one == word || (!one.is_ascii() && word.starts_with(one)))
}

/// The words of `text`, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let tokens = Reading::of(text).tokens.into_iter();
    tokens
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_from_header_options_and_registry() {
        let found = |header: &str, options: &[&str]| {
            let options: Vec<String> = options.iter().map(|&label| label.to_owned()).collect();
            kind(&Registry::default(), "a", Some(header), &options)
        };
        use QuestionKind::{Architecture, Content, GoOn, Scope};
        for (expected, header, options) in [
            (GoOn, "Next", ["More questions", "Next area (Recommended)"]),
            (GoOn, "Todo", ["Work on it now", "Defer"]),
            (GoOn, "下一步", ["继续", "停止"]),
            (Scope, "Scope", ["All pages", "Only this one"]),
            (Architecture, "Database", ["SQLite", "Postgres"]),
            (
                Architecture,
                "Storage",
                ["Next to the code", "Somewhere else"],
            ),
            (Content, "Style", ["Grid", "List"]),
            (Content, "Style", ["Nextcloud", "Skipper"]),
            (Content, "TODOs", ["Create it", "Skip"]),
        ] {
            assert_eq!(found(header, &options), expected, "{header}");
        }
        let registry =
            Registry::parse("[[question]]\nkey = \"a\"\nkind = \"architecture\"").unwrap();
        assert_eq!(kind(&registry, "a", None, &[]), Architecture);
        assert!(Registry::parse("[[question]]\nkey = \"a\"\nkind = \"dear\"").is_err());
    }
}
