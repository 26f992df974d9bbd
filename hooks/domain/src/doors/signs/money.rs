//! Amounts of money.

use super::sign::Sign;
use crate::doors::entries::{List, list};

fn is_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₪')
}

/// Units that follow an amount, in many languages; in Chinese, Japanese and Korean they are joined to it.
static UNITS: List = list!(
    " usd eur gbp jpy cny chf krw inr brl rub pln sek nok dkk euro euros dollar dollars dolares \
        dollari bucks pound pounds quid pfund livres libras libbre sterline yen yuan rmb won rubel \
        rubl rublei рублей рубля рубль руб доллар долларов евро zl zloty zlotych kronor kronen \
        kroner franken francs franchi reais real pesos peso rupees rupien lira liras grand cents \
        cent centimes 円 元 块 塊 万元 万円 美元 美金 欧元 원 만원 달러 유로 ドル ユーロ "
);

/// Numbers in words, before a unit.
static NUMBERS: List = list!(
    " one two three four five six seven eight nine ten twenty thirty forty fifty sixty seventy \
        eighty ninety hundred thousand million zwei drei funf zehn zwanzig funfzig hundert tausend \
        deux trois cinq dix vingt cinquante cent mille dos tres cinco diez veinte cincuenta cien \
        ciento mil dois dez vinte cem due cinque dieci venti cinquanta cento сто двести пятьсот \
        тысяч тысячу пять десять "
);

pub(super) fn first(folded: &str) -> Option<Sign> {
    let mut words = folded.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        if with_sign(word, next) || joined(word) || parted(word, next) {
            return Some(("money".to_owned(), word.to_owned()));
        }
    }
    None
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
