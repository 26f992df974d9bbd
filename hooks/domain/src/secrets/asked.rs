//! Questions that ask for a secret: what is typed as their answer is one, whatever it looks like.

use crate::text::{fold, without_accents};
use crate::wire::SentQuestion;

/// What names a secret, a row a language: as [`folded`] has it, found anywhere; a blank is the end of a word.
const NAMES: [(&str, &str); 13] = [
    (
        "English",
        "password|passwd|passphrase|passcode| token | access tokens | api tokens | auth tokens | secret | secrets | api key|\
         apikey|private key|secret key|access key|ssh key|signing key|encryption key|license key| pin code| pin number|\
         your pin | credentials | credit card|card number|security code|verification code|one time code|backup code|\
         recovery code|recovery phrase|recovery key|seed phrase|seed words|mnemonic phrase| login details ",
    ),
    (
        "German",
        "passwort|passworter|kennwort|zugangsdaten|zugangscode|anmeldedaten|geheimnis|geheimzahl|geheimcode|apischlussel|\
         api schlussel|privater schlussel|privaten schlussel|privatschlussel|geheimer schlussel|geheimen schlussel|\
         zugangsschlussel|lizenzschlussel|kreditkarte|kartennummer|prufnummer|sicherheitscode|bestatigungscode|\
         einmalcode|einmalkennwort|wiederherstellungs|merkphrase|zugriffstoken| tokens eingeben",
    ),
    (
        "Dutch",
        "wachtwoord|wachtzin|toegangscode|pincode|inloggegevens|geheime sleutel|geheim woord|api sleutel|apisleutel|\
         privesleutel|prive sleutel|toegangssleutel|licentiesleutel|creditcard|kaartnummer|beveiligingscode|\
         verificatiecode|herstelcode|herstelzin|herstelsleutel|eenmalige code|toegangstoken",
    ),
    (
        "French",
        "mot de passe|mots de passe|phrase de passe|phrase secrete|code secret|cle api|cle d api|cle de l api|cle privee|\
         cle secrete|cle d acces|cle de licence|cle ssh|jeton d acces|jeton d api|jeton d authentification| jeton |\
         identifiants|carte bancaire|carte de credit|carte bleue|numero de carte|numero de la carte|code pin|\
         code de securite|code de verification|code a usage unique|code de recuperation|code de secours|\
         phrase de recuperation|cle de recuperation",
    ),
    (
        "Italian",
        "parola d ordine|parola chiave segreta|frase segreta|codice segreto|credenziali|chiave api|chiave dell api|\
         chiave privata|chiave segreta|chiave di accesso|chiave d accesso|chiave di licenza|carta di credito|\
         numero della carta|numero di carta|codice pin|codice di sicurezza|codice di verifica|codice di recupero|\
         codice monouso|frase di recupero|frase seed",
    ),
    (
        "Spanish",
        "contrasena|palabra clave secreta|frase de paso|clave secreta|codigo secreto|credenciales|clave api|clave de api|\
         clave de la api|clave privada|clave de acceso|clave de licencia|llave privada|llave de api|tu clave |su clave |\
         tarjeta de credito|numero de tarjeta|numero de la tarjeta|numero de tu tarjeta|codigo pin|codigo de seguridad|\
         codigo de verificacion|codigo de recuperacion|codigo de un solo uso|frase de recuperacion|frase semilla",
    ),
    (
        "Portuguese",
        " senha| palavra passe| palavra chave secreta|frase passe|frase secreta|codigo secreto|credenciais|chave api|\
         chave de api|chave da api|chave privada|chave secreta|chave de acesso|chave de licenca|segredo do cliente|\
         cartao de credito|numero do cartao|numero de cartao|codigo pin|codigo de seguranca|codigo de verificacao|\
         codigo de recuperacao|codigo de uso unico|frase de recuperacao|frase semente",
    ),
    (
        "Polish",
        " haslo| hasla | haslem | hasle |tajny klucz|klucz api|klucza api|klucz do api|klucz prywatny|klucza prywatnego|\
         klucz dostepu|klucza dostepu|klucz licencyjny|dane logowania|danych logowania|dane uwierzytelniajace|sekret|\
         karty kredytowej|karta kredytowa|numer karty|kod pin|kodu pin|kod bezpieczenstwa|kod weryfikacyjny|\
         kod odzyskiwania|kod jednorazowy|fraza odzyskiwania|frazy odzyskiwania|fraze odzyskiwania| tokenu ",
    ),
    (
        "Russian",
        "парол|кодовую фразу|кодовая фраза|секретн|ключ api|ключа api|api ключ|приватн|закрытый ключ|закрытого ключа|\
         ключ доступа|ключа доступа|лицензионный ключ| токен| секрет |учетные данные|учетных данных|данные для входа|\
         номер карты|номер банковской карты|кредитной карты|пин код|пинкод|код безопасности|код подтверждения|\
         код восстановления|одноразовый код|фраза восстановления|фразу восстановления|сид фраз|мнемоническ",
    ),
    (
        "Turkish",
        "sifre| parola|gizli anahtar|gizli kod|api anahtar|ozel anahtar|erisim anahtar|lisans anahtar|erisim jeton|\
         kimlik bilgi|giris bilgi|kredi kart|kart numara|pin kod|guvenlik kod|dogrulama kod|kurtarma kod|\
         kurtarma ifade|kurtarma kelime|kurtarma anahtar|tek kullanimlik",
    ),
    (
        "Chinese",
        "密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌|凭证|憑證|凭据|机密|信用卡|银行卡号|卡号|卡號|安全码|安全碼|验证码|\
         驗證碼|恢复码|恢復碼|恢复短语|助记词|助記詞",
    ),
    (
        "Japanese",
        "パスワード|パスフレーズ|パスコード|暗証番号|合言葉|秘密鍵|apiキー|api キー|アクセスキー|ライセンスキー|トークン|\
         シークレット|認証情報|ログイン情報|クレジットカード|カード番号|セキュリティコード|認証コード|確認コード|\
         リカバリーコード|リカバリーフレーズ|リカバリーキー|復旧フレーズ|復元フレーズ|シードフレーズ|ニーモニック",
    ),
    (
        "Korean",
        "비밀번호|비밀 번호|암호를|암호가|암호 |암호문구|패스워드|패스프레이즈|비밀키|비밀 키|개인키|개인 키|api 키|api키|액세스 키|\
         액세스키|라이선스 키|토큰|시크릿|자격 증명|자격증명|로그인 정보|신용카드|신용 카드|카드 번호|카드번호|핀 번호|핀번호|\
         보안 코드|보안코드|인증 코드|인증코드|인증번호|복구 코드|복구코드|복구 구문|복구구문|시드 구문|니모닉",
    ),
];

/// The same in capitals, which small letters mean something else by.
const ACRONYMS: [&str; 9] = [
    "PIN", "PINs", "PUK", "OTP", "TOTP", "CVV", "CVC", "CVV2", "TAN",
];

/// True when the text, the header or a label of `question` names a secret, which an answer in words may then be.
pub(crate) fn asks_for_secret(question: &SentQuestion) -> bool {
    let texts = [&question.text, &question.context].into_iter();
    let texts = texts.chain(&question.header).chain(&question.options);
    texts.map(String::as_str).any(names_secret)
}

/// True for a text that names a secret.
pub(crate) fn names_secret(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| ACRONYMS.contains(&word)) {
        return true;
    }
    let text = folded(text);
    let mut names = NAMES.iter().flat_map(|(_, names)| names.split('|'));
    names.any(|name| text.contains(name))
}

/// `text` in small letters without accents, its words with a blank on each side.
fn folded(text: &str) -> String {
    let folded = fold(text);
    let plain = without_accents(&folded);
    let mut words = String::with_capacity(plain.len() + 2);
    for word in plain.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            words.push(' ');
            words.push_str(word);
        }
    }
    words.push(' ');
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_texts_are_folded() {
        for (language, names) in NAMES {
            for name in names.split('|') {
                assert_eq!(folded(name).trim(), name.trim(), "{language}: {name:?}");
                assert!(
                    !name.contains("  ") && name.trim().len() > 2,
                    "{language}: {name:?}"
                );
            }
        }
    }

    #[test]
    fn secrets_are_asked_for_in_every_language() {
        for text in [
            // English
            "Type the password for the admin user in Other",
            "What is the DB_PASSWORD for staging?",
            "Paste your GitHub token below",
            "Which API key should I use for Stripe?",
            "Enter the apiKey",
            "Enter your PIN",
            "What is the card number to charge?",
            "Please give me the wallet's recovery phrase",
            "Passphrase of the SSH key?",
            "OTP from your phone?",
            // German
            "Gib das Admin-Passwort unter Andere ein",
            "Wie lautet das Datenbankkennwort?",
            "Welchen API-Schlüssel soll ich nehmen?",
            "Bitte die PIN eingeben",
            "Wie ist die Wiederherstellungsphrase?",
            "Wie lautet die Kartennummer?",
            // Dutch
            "Wat is het wachtwoord van de beheerder?",
            "Welke API-sleutel moet ik gebruiken?",
            "Voer de pincode in",
            "Wat is het kaartnummer?",
            // French
            "Tapez votre mot de passe dans le champ 'Autre' ci-dessous",
            "Quelle est la clé d’API ?",
            "Collez le jeton d'accès",
            "Numéro de carte ?",
            "Quelle est votre phrase de récupération ?",
            // Italian
            "Inserisci la password dell'amministratore",
            "Qual è la chiave API?",
            "Incolla il token",
            "Numero della carta di credito?",
            // Spanish
            "¿Cuál es la contraseña de la base de datos?",
            "Pega la clave de API",
            "¿Qué token debo usar?",
            "¿Número de tarjeta?",
            // Portuguese
            "Digite a senha do administrador",
            "Qual é a chave da API?",
            "Qual é a frase de recuperação?",
            "Número do cartão de crédito?",
            // Polish
            "Podaj hasło administratora",
            "Jakie jest hasło do bazy?",
            "Wklej klucz API",
            "Jaki jest numer karty?",
            // Russian
            "Введите пароль администратора",
            "Какой API-ключ использовать?",
            "Вставьте токен",
            "Назовите сид-фразу кошелька",
            // Turkish
            "Yönetici şifresini girin",
            "Veritabanı parolası nedir?",
            "API anahtarı nedir?",
            "Kredi kartı numarası?",
            // Chinese
            "请输入管理员密码",
            "API 密钥是什么？",
            "請輸入密碼",
            "请输入助记词",
            // Japanese
            "管理者のパスワードを入力してください",
            "APIキーは何ですか？",
            "暗証番号を入力してください",
            "カード番号は？",
            // Korean
            "관리자 비밀번호를 입력하세요",
            "API 키는 무엇인가요?",
            "토큰을 붙여 넣으세요",
            "복구 구문을 알려 주세요",
        ] {
            assert!(names_secret(text), "{text}");
        }
    }

    #[test]
    fn other_questions_ask_for_none() {
        for text in [
            "Which layout?",
            "Should I pin the versions?",
            "How many tokens may a prompt have?",
            "Which key should sort the list?",
            "Spin up another worker?",
            "Which card should come first on the page?",
            "Is the tan theme better?",
            "Wie soll die Taste heißen?",
            "Welche Schlüssel sind eindeutig?",
            "Quelle clé de tri ?",
            "Qual chave primária?",
            "Który klucz główny?",
            "Какой ключ сортировки?",
            "Hangi anahtar sıralanmalı?",
            "哪个布局？",
            "どのレイアウトにしますか？",
            "어떤 레이아웃을 쓸까요?",
        ] {
            assert!(!names_secret(text), "{text}");
        }
    }

    #[test]
    fn header_and_labels_count() {
        let question = |header: &str, option: &str| SentQuestion {
            text: "What shall I put there?".to_owned(),
            header: Some(header.to_owned()),
            options: vec!["Later".to_owned(), option.to_owned()],
            ..SentQuestion::default()
        };
        assert!(!asks_for_secret(&question("Value", "Skip")));
        assert!(asks_for_secret(&question("Password", "Skip")));
        assert!(asks_for_secret(&question("Value", "I'll type the token")));
    }
}
