//! Words of sentences about secrets, in the languages in which plantune reads questions: what ties a password to its
//! name, and what says that a word is something else.

use crate::words::Words;

/// Words that tie the next word to the name: `the password is …`.
pub(super) static TIES: Words = Words::of(
    "is was are been s 's = == : := -> => → ⇒ — – - to as now till til jetzt dann nu сейчас ahora ora \
    agora still ist war wäre lautet heißt lautete sei auf est était soit es era é è a sea será sia foi fue sera \
    sarà seria is: be be: would will being equals reads using use with mit avec con com met z с med jest było \
    będzie wordt wird devient reste op na je to: это теперь был будет на är var blir er 是 为 為 ： は が は、 은 는 이 가 \
    olarak",
);

/// The length of the longest of them, in bytes.
pub(super) const LONGEST_TIE: usize = 12;

/// Signs that tie what follows to the name.
pub(super) const SIGNS: &str = ":=：→⇒";

/// Words that tie the word before them to the name: `… as the password`.
pub(super) static TIES_BEFORE: Words = Words::of(
    "as is was for — – - это to als ist war für comme est pour como es para come è é jako som är er как sebagai",
);

/// Articles and the like between such a word and the name.
pub(super) static ARTICLES: Words = Words::of(
    "— – - a an the my our your its their new this das der die mein le la mon el mi il o minha het mijn",
);

/// Words after which a secret follows where one is due: `log in as bob with …`.
pub(super) static WITH: Words = Words::of("with mit avec con com met z с med using");

/// Words between a user and a password.
pub(super) static AND: Words = Words::of("and und et y e i en och и");

/// What is no folder before a slash.
pub(super) const USERS: &str = "admin root user test guest demo postgres sa";

/// Signs of passwords that are hardly a part of other words.
pub(super) const ODD: &str = "!#%^*~?$&+";

/// Words after which somebody is to type something.
pub(super) const ENTER: &str = "enter type send use using try hardcode paste insert put set eingeben tippe entrer tape introduce escribe";

/// Words before a name after which the secret follows: `use the token …`.
pub(super) static USE: Words = Words::of("use usa utilise nimm benutze verwende gebruik użyj");

/// Words after which the name or the number of something follows, and no secret.
pub(super) static NAMES_NEXT: Words = Words::of(
    "id ids uuid guid user users username account alias host hostname server node pod container version release tag commit \
    revert cherry-pick bisect sha trace span request ticket issue order invoice customer file folder directory path table column \
    field class component function method module line port bump upgrade see sqlstate error errno status nist iso named called heißt heisst nennt appelle s'appelle \
    nomme chiama llama nazywa называется heter heet chama-se benutzer utilisateur usuario utente gebruiker användare",
);

/// Words beside which commits stand.
pub(super) static COMMITS: Words =
    Words::of("git commit commits revert cherry-pick bisect rebase merge checkout sha head");

/// Words after which a place or a person follows, and no secret.
pub(super) static PREPOSITIONS: Words = Words::of(
    "in on at for from of by per via than under into over before after against until since im am an für von vom bei aus durch \
    über unter seit dans sur pour de du des par chez en del para por sobre nel nella di da su no em voor bij van w do dla od в \
    для от из i på för av için ile",
);

/// How names begin that commands have as operands: `kubectl get secret my-app-tls`.
pub(super) const MACHINES: [&str; 3] = ["secret", "token", "cred"];

/// How names begin that stand for a user together with a password.
pub(super) const PAIRS: &str = "cred|login details|zugangsdaten|anmeldedaten|identifiants|inlog|innlog|dane |danych |dados|datos|dati|prihlas|\
    giris|данные|учетн|登|ログイン|認証情報|凭|账|帐|アカウント|로그인|자격|계정";

/// Opening and closing quotes.
pub(super) const QUOTES: [&str; 2] = ["\"'`„“«»‘「『", "\"'`“”«»’」』"];

/// True for a name that stands for a user together with a password.
pub(super) fn is_pair(name: &str) -> bool {
    let name = name.to_lowercase();
    PAIRS.split('|').any(|start| name.starts_with(start))
}
