//! Amounts of money.

use crate::words::WordList;

fn is_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₪')
}

static UNITS: WordList = WordList::doors("units");

static NUMBERS: WordList = WordList::doors("numbers");

/// True for an amount of money in `folded`.
pub(super) fn holds_amount(folded: &str) -> bool {
    let mut words = folded.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        if with_sign(word, next) || joined(word) || parted(word, next) {
            return true;
        }
    }
    false
}

/// `$12`, `12€`, `R$ 12`. A sign and one digit alone is a shell's parameter as often as money: `$1`.
fn with_sign(word: &str, next: &str) -> bool {
    let Some(at) = word.find(is_sign) else {
        return false;
    };
    let (before, from) = word.split_at(at);
    let mut after = from.chars();
    let sign = after.next().unwrap_or_default();
    let after = after.as_str();
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let is_parameter = sign == '$'
        && digits(after) == 1
        && after.chars().nth(1).is_none_or(|c| !",.km".contains(c));
    let follows = digits(after) > 0 && (!is_parameter || after.ends_with('?'));
    let precedes = before.ends_with(|c: char| c.is_ascii_digit());
    follows || precedes || after.is_empty() && digits(next) > 0
}

/// `12eur`, `500円`.
fn joined(word: &str) -> bool {
    let Some((_, after)) = word.rsplit_once(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let end = after.find(|c: char| !c.is_alphabetic());
    let (unit, _) = after.split_at(end.unwrap_or(after.len()));
    !unit.is_empty() && unit != "won" && UNITS.holds(unit)
        || ["円", "元", "块", "美元", "欧元", "원", "달러", "ドル", "万"]
            .iter()
            .any(|one| unit.starts_with(one))
}

/// `12 euros`, `two hundred dollars`, `12 €`.
fn parted(word: &str, next: &str) -> bool {
    let is_sign =
        next.starts_with(is_sign) && next.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
    if is_sign && word.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let number = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.holds(number);
    let unit = || next.trim_matches(|c: char| !c.is_alphanumeric());
    is_number && UNITS.holds(unit())
}
