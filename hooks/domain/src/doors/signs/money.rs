//! Amounts of money.

use super::Sign;
use crate::doors::entries::{List, list};

const SIGNS: &str = "$€£¥₹₽₩₺₴₪";

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
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let is_amount = with_sign(word, next) || joined(word) || parted(word, next);
        is_amount.then(|| ("money".to_owned(), (*word).to_owned()))
    })
}

/// `$12`, `12€`, `R$ 12`. A sign and one digit alone is a shell's parameter as often as money: `$1`.
fn with_sign(word: &str, next: &str) -> bool {
    let Some(at) = word.find(|c| SIGNS.contains(c)) else {
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
    let Some(end) = word.rfind(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let unit: String = word
        .split_at(end + 1)
        .1
        .chars()
        .take_while(|c| c.is_alphabetic())
        .collect();
    let is_unit = |unit: &str| !unit.is_empty() && unit != "won" && UNITS.holds(unit);
    is_unit(&unit)
        || ["円", "元", "块", "美元", "欧元", "원", "달러", "ドル", "万"]
            .iter()
            .any(|one| unit.starts_with(one))
}

/// `12 euros`, `two hundred dollars`, `12 €`.
fn parted(word: &str, next: &str) -> bool {
    let is_sign = next.starts_with(|c| SIGNS.contains(c))
        && next.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
    if is_sign && word.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let unit = next.trim_matches(|c: char| !c.is_alphanumeric());
    let number = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.holds(number);
    is_number && !unit.is_empty() && UNITS.holds(unit)
}
