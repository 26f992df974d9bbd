//! What is known of secrets, a line of data each: whose they are, the words beside them, and what they look like.

use super::shapes::Shape::{self, Any, Hex, Likely, Made, Text, Upper};
use super::words::beginnings_of;

/// A token that begins like no word does.
pub(super) struct Token {
    /// How it begins, with blanks between.
    pub(super) starts: &'static str,
    /// What follows.
    pub(super) shape: Shape,
    /// The least entropy of that, in tenths of a bit a character: less have examples, `ghp_xxxxxxxx`.
    pub(super) entropy: u8,
}

const fn token(_name: &str, starts: &'static str, shape: Shape, entropy: u8) -> Token {
    Token {
        starts,
        shape,
        entropy,
    }
}

/// Tokens of services.
#[rustfmt::skip]
pub(super) const TOKENS: &[Token] = &[
    token("Adobe, Alibaba, Yandex", "p8e- LTAI AQVN t1.", Text(20), 25),
    token("age", "AGE-SECRET-KEY-1", Upper(20), 25),
    token("Anthropic", "sk-ant-", Text(8), 20),
    token("Artifactory", "AKCp cmVmd", Text(50), 25),
    token("Atlassian, Bitbucket", "ATATT3 ATCTT3 ATBB", Text(20), 25),
    token("AWS", "AKIA ASIA ABIA ACCA", Upper(16), 20),
    token("AWS Bedrock", "ABSK bedrock-api-key-", Text(40), 25),
    token("Buildkite, CircleCI", "bkua_ bkpt_ CCIPAT_ CCIPRJ_", Text(20), 25),
    token("Clojars, ClickHouse", "CLOJARS_ 4b1d", Text(38), 25),
    token("Cloudflare, Contentful", "v1.0- CFPAT-", Text(40), 25),
    token("Databricks, Infracost", "dapi ico-", Text(32), 25),
    token("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", Hex(20), 20),
    token("Docker", "dckr_pat_ dckr_oat_", Text(10), 20),
    token("Doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", Text(20), 25),
    token("Duffel, Frame.io, Shippo", "duffel_live_ duffel_test_ fio-u- shippo_live_ shippo_test_", Text(20), 25),
    token("Dynatrace", "dt0c01. dt0s01. dt0s02. dt0s16.", Text(24), 25),
    token("EasyPost, Facebook", "EZAK EZTK EAAC EAAM", Text(50), 25),
    token("Facebook, of old", "EAACEdEose0cBA", Text(1), 0),
    token("Figma, Linear, Notion", "figd_ figo_ lin_api_ lin_oauth_ ntn_", Text(16), 20),
    token("Flutterwave", "FLWSECK- FLWSECK_TEST-", Text(12), 20),
    token("Fly.io", "fo1_ fm1a_ fm1r_ fm2_", Text(30), 25),
    token("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", Text(16), 20),
    token("GitLab", "glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941", Text(16), 20),
    token("Google", "AIza", Text(30), 20),
    token("Google, signing in", "ya29. GOCSPX- 1//0", Text(16), 20),
    token("Grafana", "glsa_ glc_", Text(16), 20),
    token("Groq, Perplexity, xAI", "gsk_ pplx- xai-", Text(20), 20),
    token("HashiCorp", "hvs. hvb. hvr.", Text(16), 20),
    token("Heroku", "HRKU-", Text(20), 25),
    token("HubSpot", "pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-", Text(20), 25),
    token("Hugging Face", "hf_ api_org_", Text(20), 20),
    token("LangSmith, Langfuse", "lsv2_ sk-lf- pk-lf-", Text(20), 20),
    token("Mailchimp", "md-", Text(22), 30),
    token("Mailgun", "key-", Hex(32), 20),
    token("Neon, Netlify", "napi_ nfp_ nfc_ nfo_ nfu_", Text(20), 25),
    token("New Relic", "NRAK- NRII- NRJS- NRAL- NRRA- NRIQ- NRSP-", Text(16), 20),
    token("npm", "npm_", Text(20), 20),
    token("NuGet", "oy2", Text(40), 25),
    token("NVIDIA, Replicate", "nvapi- r8_", Text(20), 20),
    token("Octopus", "API-", Upper(26), 25),
    token("OpenAI", "sk-proj- sk-or- sk-svcacct- sk-admin-", Text(8), 20),
    token("OpenAI and its like", "sk-", Text(20), 20),
    token("OpenShift", "sha256~", Text(40), 25),
    token("1Password", "ops_ey A3-", Text(30), 25),
    token("PlanetScale", "pscale_tkn_ pscale_pw_ pscale_oauth_", Text(20), 20),
    token("PostHog", "phx_", Text(16), 20),
    token("Postman", "PMAK-", Text(16), 20),
    token("Prefect, ReadMe, Scalingo", "pnu_ pnb_ rdme_ tk-us-", Text(20), 25),
    token("Pulumi", "pul-", Hex(32), 20),
    token("PyPI, RubyGems", "pypi- rubygems_", Text(16), 20),
    token("Razorpay, Paystack", "rzp_live_ rzp_test_", Text(12), 20),
    token("Render, Resend", "rnd_ re_", Text(24), 25),
    token("Scaleway", "SCW", Upper(17), 20),
    token("SendGrid", "SG.", Text(30), 20),
    token("Sentry", "sntrys_ sntryu_", Text(16), 20),
    token("SettleMint", "sm_aat_ sm_pat_ sm_sat_", Text(16), 20),
    token("Shopify", "shpat_ shpss_ shpca_ shppa_", Text(16), 20),
    token("Slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxo- xoxd- xoxc- xapp-", Text(10), 20),
    token("Sonar", "sqp_ squ_ sqa_", Text(20), 25),
    token("Sourcegraph", "sgp_", Text(20), 25),
    token("Square", "EAAA sq0atp- sq0csp-", Text(22), 25),
    token("Stripe and its like", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_", Text(8), 20),
    token("Supabase", "sbp_ sb_secret_", Text(20), 20),
    token("Tailscale", "tskey-", Text(10), 20),
    token("Twilio", "SK", Hex(32), 20),
    token("Typeform", "tfp_", Text(30), 25),
    token("Brevo", "xkeysib- xsmtpsib-", Text(20), 20),
];

/// Addresses whose path is the secret.
pub(super) const ADDRESSES: &[&str] = &[
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "hooks.slack.com/triggers/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "discord.gg/",
    "discord.com/invite/",
    ".webhook.office.com/webhookb2/",
    "outlook.office.com/webhook/",
    "hooks.zapier.com/hooks/catch/",
    "api.telegram.org/bot",
    "chat.whatsapp.com/",
    "t.me/joinchat/",
    "t.me/+",
    "maker.ifttt.com/trigger/",
    "join.slack.com/t/",
    "hooks.airtable.com/workflows/",
    "events.pagerduty.com/integration/",
    "hc-ping.com/",
];

/// How names of secrets end, in small letters without signs.
pub(super) const NAMES: &str = "password passwd passphrase passcode pwd pass secret token apikey accesskey secretkey privatekey \
    authkey accountkey sharedkey signingkey encryptionkey masterkey licensekey credential credentials creds authtoken accesskeyid \
    secretid passwordeval pw passwort kennwort contrasena senha motdepasse wachtwoord psk mnemonic seedphrase recoveryphrase";

/// Names of what is secret where it looks like it.
pub(super) const WEAK_NAMES: &str = "key sig signature auth pat sas hmac pin otp totp seed appid";

/// Names of numbers that are.
pub(super) const NUMBER_NAMES: &str =
    "card cardnumber creditcard cvv cvc cvv2 pin pincode otp otpcode";

/// Names that end like one of a secret and are none.
pub(super) const OTHER_NAMES: &str = "bypass compass PWD OLDPWD nopass nopassword";

/// What names a password in a sentence, in small letters; of what is not ASCII as much as has no capitals.
pub(super) const PASSWORDS: &str = "password|passwd|passphrase|passcode|pwd|pw|passwort|kennwort|mot de passe|mdp|contraseña|senha|\
    parola d'ordine|wachtwoord|hasł|şifre|Şifre|арол|密码|密碼|口令|パスワード|パスフレーズ|暗証番号|비밀번호|암호|패스워드";

/// What names another secret.
pub(super) const NOUNS: &str = "pass|wifi|wlan|token|secret|api key|api-key|apikey|api_key|access key|secret key|private key|license key|\
    signing key|key|creds|credentials|credential|login|account|root|admin|user|zugang|log in|sign in|pin|otp|zugangsdaten|schlüssel|geheimnis|jeton|identifiants|clé|clave|\
    credenciales|chave|credenciais|credenziali|chiave|sleutel|klucz|parola|anahtar|оступ|окен|люч|екрет|密钥|密鑰|令牌|凭证|トークン|秘密鍵|キー|토큰|비밀키|키";

/// What ties a noun to what it is: `the password is …`.
pub(super) const TIES: &str = "is was are 's = == : := -> => → ⇒ — – - to as now ist war lautet heißt lautete est était es era é è era \
    sera seria is: be this would will being equals reads using use with jest to: это теперь 是 为 為 ： は が は、 은 는 이 가 = olarak";

/// The same the other way round: `… as the password`.
pub(super) const TIES_BEHIND: &str =
    "as is for als ist comme est como es é è come are were jako как = 作为 を को olarak";

/// What may stand between, with the word behind it.
pub(super) const PREPOSITIONS: &str =
    "for of on from at für von auf de del du do da della di dla voor van от для к за";

/// What may stand between.
pub(super) const FILLERS: &str = "the a an my our your his her its new old root admin user current default db database das die der dem den \
    mein unser la le les l' el los lo il o os mon notre votre mi mio meu minha nuestra nosso de het mijn";

/// Where a secret stands in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind one of the words.
    Behind,
    /// Behind one of the words, or attached to it.
    Attached,
    /// Behind one of the words, a name before it: `user:password`.
    Login,
    /// The operand of that number behind the context.
    Operand(u8),
    /// The last operand, which has at least that number.
    Last(u8),
    /// Behind one of the words, a name and a `=` before it.
    Setting,
    /// Behind the `=` of each operand; without any, the second operand.
    Pairs,
    /// Behind names of secrets.
    Named,
    /// What is piped or redirected into the program, where it has one of the words or needs none.
    Fed,
    /// Texts in quotes behind the context.
    Literals,
}
use Place::{Attached, Behind, Fed, Last, Literals, Login, Named, Operand, Pairs, Setting};

/// A place in a command.
pub(super) struct Rule {
    /// Programs, subcommands and other words, one after the other: alternatives with `|` between; `^` where a command
    /// begins with it, `(` where it is called, `*` where more may follow in the word.
    pub(super) context: &'static str,
    /// Where the secret stands.
    pub(super) place: Place,
    /// The words of that place, with blanks between.
    pub(super) words: &'static str,
    /// What it looks like.
    pub(super) shape: Shape,
    /// How the first words of the context begin ([`beginnings_of`]).
    pub(super) begins: u64,
}

const fn rule(context: &'static str, place: Place, words: &'static str, shape: Shape) -> Rule {
    Rule {
        context,
        place,
        words,
        shape,
        begins: beginnings_of(context),
    }
}

/// Programs that are given secrets, and by what.
#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    // Databases
    rule("mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mysqlcheck|mysqlslap|mariadb|mariadb-dump|mariadb-admin", Attached, "-p -hp", Any),
    rule("mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|cypher-shell|rabbitmqadmin", Attached, "-p", Any),
    rule("mysqladmin", Behind, "password", Any),
    rule("redis-cli|valkey-cli", Behind, "-a --pass auth AUTH requirepass masterauth", Any),
    rule("redis-cli|valkey-cli auth", Last(2), "", Any),
    rule("redis-cli|valkey-cli SETUSER", Literals, "", Any),
    rule("sqlcmd|bcp|isql|ipmitool|mosquitto_pub|mosquitto_sub", Attached, "-P", Any),
    rule("sqlplus|expdp|impdp|sqlldr|exp|imp|connect|rman|tnsping", Login, "sqlplus expdp impdp sqlldr connect target -L -S", Any),
    rule("influx|arangosh|cockroach|clickhouse-client|ldap3", Behind, "-password", Any),
    rule("identified by", Literals, "", Any),
    rule("set password for", Literals, "", Made(6)),
    rule("alter|create user|role|login|account password", Literals, "", Any),
    rule("insert into password|passwd|pwd|pass|secret|token|api_key values", Literals, "", Made(6)),
    // Archives, keys, hashes
    rule("zip|unzip|zipcloak", Attached, "-P", Any),
    rule("7z|7za|7zz|unrar|rar", Attached, "-p -hp", Any),
    rule("openssl", Behind, "-k -K -hmac passwd -passin -passout -pass -password", Any),
    rule("ssh-keygen", Behind, "-N -P", Any),
    rule("gpg|gpg2", Fed, "--passphrase-fd", Any),
    rule("pdftk", Behind, "user_pw owner_pw input_pw", Any),
    rule("qpdf", Behind, "--encrypt", Any),
    rule("oathtool", Operand(1), "", Any),
    rule("htpasswd", Last(2), "", Any),
    rule("wpa_passphrase", Last(2), "", Any),
    rule("encrypt_string|convertto-securestring", Operand(1), "", Any),
    rule("hash-password|set-password", Behind, "--plaintext", Any),
    rule("signtool|schtasks", Behind, "/p /rp", Any),
    // Hosts and users
    rule("sshpass|psexec|unlock-keychain|set-keychain-password|create-keychain|usermod|useradd", Attached, "-p", Any),
    rule("add-generic-password|add-internet-password", Attached, "-w", Any),
    rule("evil-winrm|smbmap|crackmapexec|netexec|nxc", Attached, "-p", Any),
    rule("impacket-*", Operand(1), "", Any),
    rule("netsh wlan", Behind, "key keyMaterial", Any),
    rule("plink|pscp|putty|psftp", Behind, "-pw", Any),
    rule("xfreerdp|wfreerdp|rdesktop|mstsc", Attached, "/p: -p", Any),
    rule("sudo", Fed, "-S", Any),
    rule("su", Fed, "-c", Any),
    rule("chpasswd|passwd|cryptsetup|kinit|runas|smbpasswd|ldappasswd", Fed, "", Any),
    rule("net use|user", Last(2), "", Made(6)),
    rule("net|smbclient|rpcclient|smbget|winexe|lftp|etcdctl|curl|wget|http|https|xh|ab", Login, "-u -U --user -E --cert -A -a --auth --proxy-user", Any),
    rule("curl|wget", Behind, "--pass", Any),
    rule("ldapsearch|ldapmodify|ldapadd|ldapdelete|ldappasswd|ldapwhoami", Attached, "-w -s", Any),
    rule("snmpwalk|snmpget|snmpset|snmptable", Behind, "-A -X -c", Any),
    rule("nmcli", Behind, "password wifi-sec.psk", Any),
    rule("iwconfig|iw", Behind, "key", Likely(6)),
    rule("adb shell input text", Operand(1), "", Any),
    rule("expect|spawn send", Literals, "", Made(6)),
    rule("send|send_user", Operand(1), "", Made(8)),
    rule("machine|default login", Behind, "password", Any),
    rule("login password", Operand(1), "", Made(6)),
    rule("^user|login", Operand(2), "", Made(6)),
    rule("rclone config", Behind, "pass", Any),
    rule("rclone obscure", Operand(1), "", Any),
    rule("hdiutil", Fed, "-stdinpass", Any),
    // Registries and clouds
    rule("login", Behind, "-p", Any),
    rule("login", Attached, "-p", Likely(6)),
    rule("login", Fed, "--password-stdin --with-token --stdin --token-stdin", Any),
    rule("npm|yarn|pnpm login|adduser", Fed, "", Any),
    rule("bw|cargo|vault|bitwarden login", Last(1), "", Likely(8)),
    rule("snyk|ngrok|ably|depot|buf auth|authtoken", Operand(1), "", Likely(12)),
    rule("secret|secrets", Behind, "-b --body --value --string --secret-string", Any),
    rule("secret|secrets", Attached, "-b", Any),
    rule("secret|secrets set|create|put|add|store|new|import|update|bulk|versions", Fed, "", Any),
    rule("secrets:set|functions:secrets:set|store-secret|secret:bulk|secrets:set-file", Fed, "", Any),
    rule("kv|secrets|secret put|patch|import|upload|bulk", Fed, "", Any),
    rule("az", Behind, "-p", Made(6)),
    rule("pulumi config set", Fed, "--secret", Any),
    rule("secret-tool|keyring|pass|gopass store|set|insert|add", Fed, "", Any),
    rule("keyring set", Last(3), "", Any),
    rule("env|envs|variable|variables|vars add|set|create|update|put", Fed, "", Any),
    rule("credential approve|fill|store", Fed, "", Likely(6)),
    rule("kv|secret|secrets|user-secrets put|patch|set|write|update|create|add|import|push", Pairs, "", Any),
    rule("vault write", Pairs, "", Made(6)),
    rule("config:set|env:set|env:add|env-set|setenv|env:import|config:add|secret:set|secrets:set", Pairs, "", Made(6)),
    rule("dotenvx|dotenv set", Pairs, "", Any),
    rule("env|envs|variable|variables|vars add|set|create|update|put", Pairs, "", Made(6)),
    rule("railway|render|koyeb|northflank|flyctl|fly variables|vars|env|up|deploy|update", Setting, "--set --env -e", Made(6)),
    rule("secret|secrets", Setting, "--from-literal", Any),
    rule("appsettings|application-settings set", Setting, "--settings", Made(6)),
    rule("appsettings|application-settings set", Pairs, "", Made(6)),
    rule("kubectl|oc set env", Pairs, "", Made(6)),
    rule("travis encrypt", Pairs, "", Any),
    rule("set-env", Last(3), "", Made(6)),
    rule("pulumi config set", Last(2), "--secret", Any),
    rule("pulumi env set", Last(3), "--secret", Any),
    rule("env:set", Last(2), "--secret", Any),
    rule("env:import|env:set|env:add|kubeseal", Fed, "", Any),
    rule("supabase", Behind, "-p", Any),
    rule("variable|variables|vars set|update|create", Behind, "--value --body", Made(6)),
    rule("put-parameter|update-secret|create-secret|put-secret-value|set-secret", Behind, "--value --secret-string --string", Any),
    rule("sops", Literals, "--set set", Made(6)),
    rule("credentials:edit|credentials", Fed, "", Made(6)),
    rule("nuget|import", Behind, "-p -P -k", Likely(8)),
    rule("codecov|doctl|codacy", Behind, "-t", Any),
    rule("twine|helm|oras|crane|skopeo|buildah", Attached, "-p", Likely(6)),
    rule("poetry|composer http-basic*", Last(2), "", Any),
    rule("bundle config", Last(2), "", Likely(8)),
    rule("drush user:password", Last(2), "", Any),
    rule("rabbitmqctl|rabbitmq add_user|change_password|authenticate_user", Last(2), "", Any),
    rule("mc|s5cmd alias|config set|host", Last(3), "", Likely(12)),
    rule("jq|yq|gojq", Behind, "password token secret pass apikey", Any),
    rule("^set|setx|setenv|export|declare", Named, "", Any),
    rule("config|configure|variable|variables|arg", Named, "", Any),
    rule("bearer", Operand(1), "", Likely(8)),
    // Programs in other languages
    rule("auth|login|pdo|connect|start|sign|encode|verify|pscredential|authenticate|credentials|signin|createuser(", Literals, "", Made(8)),
    rule("bcrypt|hash|hash_password|make_password|hashpw|generate_password_hash|set_password|password(", Literals, "", Made(8)),
];
