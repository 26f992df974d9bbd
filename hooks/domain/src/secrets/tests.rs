//! Secrets of many shapes, and commands without any.

use super::fields::names_secret;
use super::*;
use crate::wire::SentQuestion;

/// Sent texts, and their logged form.
const SECRET: &[(&str, &str)] = &[
    ("TOKEN=abc123 npm publish", "TOKEN=MASKED npm publish"),
    ("export API_KEY=hunter2", "export API_KEY=MASKED"),
    ("PASSWORD='two words' ./run", "PASSWORD='MASKED' ./run"),
    (
        r#"PASSWORD="a;b" ./run"#,
        r#"PASSWORD="MASKED;MASKED" ./run"#,
    ),
    ("DB_PASS=x1 make", "DB_PASS=MASKED make"),
    ("STRIPE_KEY=abcd node x", "STRIPE_KEY=MASKED node x"),
    (
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY aws s3 ls",
        "AWS_SECRET_ACCESS_KEY=MASKED aws s3 ls",
    ),
    (
        "env GITHUB_TOKEN=abc gh api /user",
        "env GITHUB_TOKEN=MASKED gh api /user",
    ),
    (
        "docker run -e POSTGRES_PASSWORD=pg postgres",
        "docker run -e POSTGRES_PASSWORD=MASKED postgres",
    ),
    (
        "kubectl create secret generic a --from-literal=password=pw1",
        "kubectl create secret generic a --from-literal=password=MASKED",
    ),
    (
        "heroku config:set SESSION_SECRET=s3 --app x",
        "heroku config:set SESSION_SECRET=MASKED --app x",
    ),
    (
        "vault kv put secret/app password=pw1",
        "vault kv put secret/app password=MASKED",
    ),
    ("tool --password hunter2 x", "tool --password MASKED x"),
    ("tool --password=hunter2 x", "tool --password=MASKED x"),
    (
        r#"tool --password="hunter2" x"#,
        r#"tool --password="MASKED" x"#,
    ),
    ("tool --token 'abc def' x", "tool --token 'MASKED' x"),
    ("tool --api-key k1 x", "tool --api-key MASKED x"),
    ("tool -token abc", "tool -token MASKED"),
    ("tool --client-secret=abc", "tool --client-secret=MASKED"),
    (
        "gpg --batch --passphrase pw -d f",
        "gpg --batch --passphrase MASKED -d f",
    ),
    (
        "keytool -list -storepass changeit",
        "keytool -list -storepass MASKED",
    ),
    ("mysql -u root -psecret shop", "mysql -u root -pMASKED shop"),
    (
        "mysql -u root -p secret shop",
        "mysql -u root -p MASKED shop",
    ),
    (
        "/usr/bin/mysqldump -psecret shop",
        "/usr/bin/mysqldump -pMASKED shop",
    ),
    ("sshpass -p hunter2 ssh host", "sshpass -p MASKED ssh host"),
    (
        "docker login -u me -p hunter2 host",
        "docker login -u me -p MASKED host",
    ),
    ("redis-cli -a hunter2 ping", "redis-cli -a MASKED ping"),
    ("zip -P hunter2 a.zip b", "zip -P MASKED a.zip b"),
    ("7z x -phunter2 a.7z", "7z x -pMASKED a.7z"),
    (
        "openssl rsa -passin pass:hunter2 -in k",
        "openssl rsa -passin pass:MASKED -in k",
    ),
    (
        "curl -u me:hunter2 https://x.invalid",
        "curl -u me:MASKED https://x.invalid",
    ),
    (
        "curl --user 'me:hunter2' https://x.invalid",
        "curl --user 'me:MASKED' https://x.invalid",
    ),
    (
        r#"curl -H "Authorization: Bearer abc.def" https://x.invalid"#,
        r#"curl -H "Authorization: Bearer MASKED" https://x.invalid"#,
    ),
    (
        "curl -H 'Authorization: Basic bWU6cHc=' https://x.invalid",
        "curl -H 'Authorization: Basic MASKED' https://x.invalid",
    ),
    (
        "curl -H 'authorization: token abc' https://x.invalid",
        "curl -H 'authorization: token MASKED' https://x.invalid",
    ),
    (
        "curl -H 'Authorization: abc' https://x.invalid",
        "curl -H 'Authorization: MASKED' https://x.invalid",
    ),
    (
        "curl -H 'X-Api-Key: abc' https://x.invalid",
        "curl -H 'X-Api-Key: MASKED' https://x.invalid",
    ),
    (
        "curl -H 'PRIVATE-TOKEN: abc' https://x.invalid",
        "curl -H 'PRIVATE-TOKEN: MASKED' https://x.invalid",
    ),
    (
        "curl -H 'Cookie: sid=abc; theme=dark' https://x.invalid",
        "curl -H 'Cookie: sid=MASKED; theme=MASKED' https://x.invalid",
    ),
    (
        r#"curl -d '{"user":"me","password":"p w"}' https://x.invalid"#,
        r#"curl -d '{"user":"me","password":"MASKED"}' https://x.invalid"#,
    ),
    (
        r#"curl -d '{"apiKey": "abc"}' https://x.invalid"#,
        r#"curl -d '{"apiKey": "MASKED"}' https://x.invalid"#,
    ),
    (
        r#"curl -d "{\"token\":\"abc\"}" https://x.invalid"#,
        r#"curl -d "{\"token\":\"MASKED\"}" https://x.invalid"#,
    ),
    (
        "curl -d 'client_secret=abc&grant_type=x' https://x.invalid",
        "curl -d 'client_secret=MASKED&grant_type=x' https://x.invalid",
    ),
    (
        "git clone https://me:hunter2@github.com/a/b",
        "git clone https://me:MASKED@github.com/a/b",
    ),
    (
        "git clone https://ghp_0123456789abcdefABCDEF0123456789abcd@github.com/a/b",
        "git clone https://MASKED@github.com/a/b",
    ),
    (
        "git clone https://0123456789abcdef0123456789abcdef01234567@github.com/a/b",
        "git clone https://MASKED@github.com/a/b",
    ),
    (
        "psql postgres://app:hunter2@db.invalid/shop",
        "psql postgres://app:MASKED@db.invalid/shop",
    ),
    (
        r#"psql "postgres://app:p;w@db.invalid/shop""#,
        r#"psql "postgres://app:MASKED;MASKED@db.invalid/shop""#,
    ),
    (
        "curl 'https://x.invalid/?a=1&token=abc&b=2'",
        "curl 'https://x.invalid/?a=1&token=MASKED&b=2'",
    ),
    (
        "curl 'https://x.invalid/?key=abcdef123456'",
        "curl 'https://x.invalid/?key=MASKED'",
    ),
    (
        "curl 'https://x.invalid/?sig=abcdef1234567%3D&se=1'",
        "curl 'https://x.invalid/?sig=MASKED&se=1'",
    ),
    (
        "curl 'https://x.invalid/?X-Amz-Signature=abcdef1234567890'",
        "curl 'https://x.invalid/?X-Amz-Signature=MASKED'",
    ),
    ("echo AKIAIOSFODNN7EXAMPLE", "echo MASKED"),
    (
        "echo ghp_0123456789abcdefABCDEF0123456789abcd",
        "echo MASKED",
    ),
    (
        "echo github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "echo MASKED",
    ),
    ("echo glpat-abcdefghij0123456789", "echo MASKED"),
    ("echo xoxb-1234567890-abcdefghij", "echo MASKED"),
    (
        "curl https://hooks.slack.com/services/T000/B000/abcdefgh",
        "curl https://hooks.slack.com/services/MASKED",
    ),
    (
        "echo npm_abcdefghijklmnopqrstuvwxyz0123456789",
        "echo MASKED",
    ),
    ("echo sk-proj-abcdefghijklmnop", "echo MASKED"),
    ("echo sk-ant-api03-abcdefghijklmnop", "echo MASKED"),
    ("echo sk-abcdefghijklmnopqrstuvwx", "echo MASKED"),
    ("echo sk_live_abcdefghijklmnop", "echo MASKED"),
    (
        "echo AIzaSyA0123456789abcdefghijklmnopqrstuv",
        "echo MASKED",
    ),
    ("echo hf_abcdefghijklmnopqrstuvwxyz", "echo MASKED"),
    (
        "echo SG.abcdefghijklmnop.qrstuvwxyz0123456789",
        "echo MASKED",
    ),
    (
        "echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def-ghi",
        "echo MASKED",
    ),
    (
        "x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def-ghi; ls",
        "x MASKED; ls",
    ),
    (
        "echo 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "echo MASKED",
    ),
    ("echo 'k7Gq9ZxP2mW4vT8bR1nY6cL3sD5fH0jK'", "echo 'MASKED'"),
    (
        "echo q3Jx/8Tz+Kp0vWm2LrYd5sNc/7hBfGa9uEiQ4oXe",
        "echo MASKED",
    ),
    (
        "npm config set //registry.invalid/:_authToken abcdef0123456789",
        "npm config set //registry.invalid/:_authToken MASKED",
    ),
    (
        r#"echo "//registry.invalid/:_authToken=abc" >> .npmrc"#,
        r#"echo "//registry.invalid/:_authToken=MASKED" >> .npmrc"#,
    ),
    (
        "aws configure set aws_secret_access_key abcdef0123456789",
        "aws configure set aws_secret_access_key MASKED",
    ),
    (
        "bash -c 'export TOKEN=abc; run'",
        "bash -c 'export TOKEN=MASKED; run'",
    ),
    (
        "az login --service-principal -p x --password pw",
        "az login --service-principal -p MASKED --password MASKED",
    ),
    (
        r#"sqlcmd "Server=x;Uid=me;Pwd=hunter2;""#,
        r#"sqlcmd "Server=x;Uid=me;Pwd=MASKED;""#,
    ),
    (
        "TOKEN=a PASSWORD=b run --secret c",
        "TOKEN=MASKED PASSWORD=MASKED run --secret MASKED",
    ),
    ("TOKEN=pre$SUFFIX run", "TOKEN=MASKED$SUFFIX run"),
    (r#"TOKEN="pre$SUFFIX" run"#, r#"TOKEN="MASKED$SUFFIX" run"#),
    ("password: hunter2", "password: MASKED"),
    (
        r#"wget --header="Authorization: Bearer abcdefgh" x"#,
        r#"wget --header="Authorization: Bearer MASKED" x"#,
    ),
    (
        "MYSQL_PWD=hunter2 mysql shop",
        "MYSQL_PWD=MASKED mysql shop",
    ),
    (
        r#"Bash(curl -H "Authorization: Bearer abc" *)"#,
        r#"Bash(curl -H "Authorization: Bearer MASKED" *)"#,
    ),
    ("Grüße TOKEN=ü123 ü", "Grüße TOKEN=MASKED ü"),
];

/// Commands that are logged unchanged.
const ORDINARY: &[&str] = &[
    "npm test",
    "npm run build -- --watch",
    "git push origin main",
    r#"git commit -m "fix token: handle expiry""#,
    r#"git commit -m "Reset the password when the session ends""#,
    "git show 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "git -C sub diff 9fceb02d0ae598e95dc970b74767f19372d61af8 HEAD~2",
    "git log --format=%H | grep 9fceb02d0ae598e95dc970b74767f19372d61af8",
    r#"git log --author="me" --since=2.weeks"#,
    "gh run view 1234567890",
    "cargo test --package plantune-domain permissions::mask -- --nocapture",
    "cargo clippy --locked -p plantune-hooks --all-targets -- -D warnings",
    "mkdir -p src/components/UserProfile2/IndexPageHeaderComponent",
    "docker run -p 8080:80 --user 1000:1000 nginx",
    "docker build --secret id=npm,src=.npmrc .",
    "docker pull nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sha256sum 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "TOKEN=$(gh auth token) npm publish",
    r#"TOKEN="$GITHUB_TOKEN" npm publish"#,
    "TOKEN=${GITHUB_TOKEN} npm publish",
    "PASSWORD= ./run",
    r#"PASSWORD="$(pass show db)" ./run"#,
    r#"curl -H "Authorization: Bearer $TOKEN" https://x.invalid"#,
    "curl -s https://x.invalid/api?page=2&sort=name",
    r#"curl -u "$USER:$PASS" https://x.invalid"#,
    "docker login --username me --password-stdin",
    "gpg --passphrase-file ~/.pass -d f",
    "mysql -u root shop_test -e 'select 1' --host db | head",
    "mysql -P 3306 -h db.invalid",
    "ssh -i ~/.ssh/id_ed25519 host.invalid",
    "ssh-keygen -t ed25519 -f key",
    "sort --key=2 -t, data.csv",
    "sort -k 2 data.csv",
    "jq '.token' package.json",
    "jq -r '.dependencies | keys[]' package.json",
    r#"grep -rn "password" src"#,
    "grep -rn 'token=' src",
    "rg --no-password-check secret",
    "kubectl get secret app -o yaml",
    "cat /etc/passwd",
    "cat src/auth/token.ts",
    "ls node_modules/.pnpm/react@18.2.0",
    "PWD=/tmp OLDPWD=/ pwd",
    r#"python3 -m pytest tests/test_token.py::test_key -k "token and not key""#,
    "sed -i 's/foo/bar/g' src/lib.rs",
    "find . -name '*.key' -newer x",
    "npx tsc --noEmit --pretty false",
    "go get golang.org/x/sys@v0.0.0-20210921155107-089bfa567519",
    r#"node -e "const token = getToken(); console.log(1)""#,
    "export NODE_ENV=test CI=1",
    "terraform plan -var max_tokens=100",
    "cd src && npm test | tee log",
    "https://docs.shop.invalid/api?version=3",
    "echo 550e8400-e29b-41d4-a716-446655440000",
    "/home/dev/shop/src/cart.js",
    "pnpm --filter @shop/web-app-frontend exec vitest run --coverage",
    "tar czf backup-2024-01-02-service-v2.tar.gz build/",
    "aws s3 ls s3://bucket/key/path --region eu-central-1",
    "make KEYS=all test",
    "[Production Deploy]",
];

#[test]
fn secrets_are_masked() {
    let mut wrong = Vec::new();
    for (sent, logged) in SECRET {
        let found = masked(sent);
        if found != *logged {
            wrong.push(format!("{sent}\n  {found}\n  {logged}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(SECRET.len() >= 60);
}

#[test]
fn ordinary_commands_are_left_alone() {
    let touched = ORDINARY
        .iter()
        .filter(|command| masked(command) != **command);
    let touched: Vec<String> = touched
        .map(|command| masked(command).into_owned())
        .collect();
    assert!(touched.is_empty(), "{}", touched.join("\n"));
    assert!(ORDINARY.len() >= 40);
}

#[test]
fn what_is_masked_stays_masked() {
    for (_, logged) in SECRET {
        assert_eq!(masked(logged), *logged);
    }
}

#[test]
fn keys_written_as_text_are_masked() {
    let key = "cat > k <<'E'\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAabcdefghijkl\n\
               abcdefghijklmnopqrstuvwxyzab\n-----END RSA PRIVATE KEY-----\nE\nchmod 600 k";
    assert_eq!(
        masked(key),
        "cat > k <<'E'\n-----BEGIN RSA PRIVATE KEY-----\nMASKED\nMASKED\n\
         -----END RSA PRIVATE KEY-----\nE\nchmod 600 k"
    );
}

/// A text that only seems to be quoted is not a secret: a mask must not hide a command or its output file.
#[test]
fn operators_and_substitutions_stay() {
    for (sent, logged) in [
        (
            "echo 'PASSWORD='; rm -rf ~; echo 'x'",
            "echo 'PASSWORD='; rm -rf ~; echo 'x'",
        ),
        (
            "echo 'PASSWORD='x; rm -rf ~; echo 'x'",
            "echo 'PASSWORD='MASKED;MASKED;MASKED'MASKED'",
        ),
        ("PASSWORD=a;rm -rf ~", "PASSWORD=MASKED;rm -rf ~"),
        ("PASSWORD=$(rm -rf ~)", "PASSWORD=$(rm -rf ~)"),
        ("PASSWORD=`rm -rf ~`", "PASSWORD=`rm -rf ~`"),
        (
            "PASSWORD=\"a$(rm -rf ~)\"",
            "PASSWORD=\"MASKED$(rm -rf ~)\"",
        ),
        ("PASSWORD=\"a`rm -rf ~`\"", "PASSWORD=\"MASKED`rm -rf ~`\""),
        ("PASSWORD=a\nrm -rf ~", "PASSWORD=MASKED\nrm -rf ~"),
        ("PASSWORD=a>/etc/passwd", "PASSWORD=MASKED>/etc/passwd"),
        ("PASSWORD=a&&reboot", "PASSWORD=MASKED&&reboot"),
    ] {
        assert_eq!(masked(sent), logged, "{sent}");
    }
}

#[test]
fn texts_are_cut_between_characters_after_masking() {
    let masked = |text: &str| {
        use crate::permissions::describe;
        describe("Bash", &serde_json::json!({"command": text}), "/w").input
    };
    let long = format!("TOKEN=abc {}", "ü".repeat(3000));
    let found = masked(&long);
    assert!(found.starts_with("TOKEN=MASKED ü") && found.len() <= 2048 && found.len() > 2046);
    // A token that the cut would shorten until it no longer looks like one.
    let at_the_edge = format!(
        "{} ghp_0123456789abcdefABCDEF0123456789abcd",
        "x ".repeat(1015)
    );
    assert!(!masked(&at_the_edge).contains("ghp_"));
    assert!(masked(&"=\"'$`\\:-p ".repeat(20_000)).len() <= 2048);
}

#[test]
fn any_text_is_read() {
    for text in [
        "",
        "=",
        ":",
        "://",
        "://@",
        "a://:@",
        "--",
        "-p",
        "mysql -p",
        "TOKEN=",
        "TOKEN='",
        "TOKEN=\\",
        "TOKEN=\\\"",
        "curl -u",
        "curl -u :",
        "-----BEGIN ",
        "ü=ü",
        "TOKEN=\u{2003}x",
        "bearer",
        "cookie:=;=",
    ] {
        masked(text);
    }
}

/// Judging the logged text again gives the same subject, without secrets.
#[test]
fn subjects_hold_no_secrets() {
    use crate::permissions::describe;
    for (sent, logged) in SECRET {
        let judged = |text: &str| describe("Bash", &serde_json::json!({"command": text}), "/w");
        let (sent, logged) = (judged(sent), judged(logged));
        assert_eq!(sent.subject, logged.subject);
        assert_eq!(sent.input, logged.input);
        assert!(sent.reach >= logged.reach);
    }
}

/// A path is the key of a project: only what is surely a token is masked in it.
#[test]
fn a_token_in_the_name_of_a_folder_is_masked() {
    let token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    for (path, masked) in [
        ("/home/bob/TOKEN/src", "/home/bob/MASKED/src"),
        ("-home-bob-TOKEN/a.jsonl", "-home-bob-MASKED/a.jsonl"),
        (r"C:\work\TOKEN", r"C:\work\MASKED"),
        ("/tmp/tmp.Xq7RkT29bLmZ", "/tmp/tmp.Xq7RkT29bLmZ"),
        (
            "/srv/API-documentation-generator-v2",
            "/srv/API-documentation-generator-v2",
        ),
    ] {
        assert_eq!(masked_path(&path.replace("TOKEN", &token)), masked);
        assert_eq!(masked_path(masked), masked);
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
    let asked = |header, option| question(header, option).secret_asked();
    assert_eq!(asked("Value", "Skip"), SecretAsked::No);
    assert_eq!(asked("Password", "Skip"), SecretAsked::Yes);
    assert_eq!(asked("Value", "I'll type the token"), SecretAsked::Offered);
    assert_eq!(asked("Value", "Clear the token"), SecretAsked::Mentioned);
}

#[test]
fn a_question_that_only_mentions_a_secret_leaves_a_harmless_answer_readable() {
    for text in [
        "Should signing out clear the token?",
        "Where should the session token live?",
        "Rotate the API key now?",
        "The token expires soon. How should we handle the access token?",
    ] {
        for typed in [
            "only when the person asks for it",
            "keychain",
            "src/auth/session.ts",
        ] {
            assert_eq!(masked_reply(text, typed), typed, "{text}");
        }
        for secret in ["Blue-Horse77!", "s3cr3t", "hunter_two"] {
            assert_eq!(masked_reply(text, secret), MASK, "{text}");
        }
    }
    for text in [
        "Which DB password should I put in .env?",
        "What is the access token?",
        "Type the password for the admin user in Other",
        "I need to log in. Paste your API key:",
        "Tapez votre mot de passe dans le champ 'Autre' ci-dessous",
    ] {
        for secret in [
            "correct horse battery staple",
            "my dog sleeps in the old yard",
        ] {
            assert_eq!(masked_reply(text, secret), MASK, "{text}");
        }
    }
}

/// Rules are found by their first bytes, and names only in the form in which texts are read.
#[test]
fn rules_are_sorted_and_readable() {
    let kinds = "capitals tied loose sign field none path login";
    let places = "flags last fed near";
    let files = [
        ("names.tsv", include_str!("names.tsv"), kinds),
        ("identifiers.tsv", include_str!("identifiers.tsv"), ""),
        ("programs.tsv", include_str!("programs.tsv"), places),
        ("tokens.tsv", include_str!("tokens.tsv"), ""),
    ];
    for (file, rules, known) in files {
        assert!(rules.lines().is_sorted(), "{file}");
        for line in rules.lines() {
            let columns: Vec<_> = line.split('\t').collect();
            let column = columns.get(if file == "names.tsv" { 1 } else { 2 });
            let word = column.map_or("", |column| column.split(' ').next().unwrap());
            let is_known =
                known.is_empty() || word.is_empty() || known.split(' ').any(|one| one == word);
            assert!(is_known && columns[0].len() >= 2, "{file}: {line}");
            let is_found = matches!(file, "tokens.tsv" | "identifiers.tsv")
                || fields::pair(line, 0) == line.as_bytes().first_chunk().copied();
            assert!(is_found, "{file}: {line}");
        }
    }
    for line in include_str!("names.tsv").lines() {
        let name = line.split('\t').next().unwrap();
        let found = fields::names(name).next();
        assert!(found.is_some_and(|found| found.range.start == 0), "{line}");
    }
}
