//! Programs that are given secrets, and by what. Lists are words with spaces between them.

/// What words say of a program's secrets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// A secret stands behind them: in the next word behind a flag, in the next operand behind others.
    Behind,
    /// A secret is attached to them.
    Attached,
    /// User and password stand behind them.
    Login,
    /// Standard input is the secret.
    Fed,
    /// The last operand, of at least two, is the secret.
    Last,
}

/// What programs are given by.
type Rows = &'static [(Given, &'static str)];

/// Programs and what they are given by. A name may also be that of a subcommand: what is asked is which of the
/// names a command holds.
#[rustfmt::skip]
const PROGRAMS: &[(&str, Rows)] = &[
    ("mysql mysqldump mysqladmin mysqlimport mysqlsh mysqlcheck mariadb mariadb-dump mariadb-admin \
        mongo mongosh mongodump mongorestore sshpass 7z 7za 7zz unrar rar cqlsh cypher-shell psexec \
        unlock-keychain twine usermod useradd", &[
        (Given::Behind, "-p"), (Given::Attached, "-p -hp")]),
    ("login", &[
        (Given::Behind, "-p"), (Given::Attached, "-p"), (Given::Fed, "--password-stdin --with-token --stdin login")]),
    ("redis-cli", &[(Given::Behind, "-a --pass auth AUTH requirepass masterauth")]),
    ("zip unzip sqlcmd bcp isql ipmitool mosquitto_pub mosquitto_sub", &[
        (Given::Behind, "-P"), (Given::Attached, "-P")]),
    ("curl wget http https xh aria2c ab", &[
        (Given::Behind, "--pass"), (Given::Login, "-u --user -U --proxy-user -a --auth -A -E --cert")]),
    ("lftp smbclient etcdctl rpcclient", &[(Given::Login, "-u -U --user")]),
    ("openssl", &[(Given::Behind, "-k -K -hmac passwd")]),
    ("ssh-keygen", &[(Given::Behind, "-N -P")]),
    ("ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami", &[
        (Given::Behind, "-w -s"), (Given::Attached, "-w")]),
    ("plink pscp putty", &[(Given::Behind, "-pw")]),
    ("snmpwalk snmpget", &[(Given::Behind, "-A -X -c")]),
    ("secret secrets", &[(Given::Behind, "-b --body --value"), (Given::Attached, "-b"), (Given::Fed, "set create")]),
    ("put-parameter", &[(Given::Behind, "--value")]),
    ("create-secret put-secret-value update-secret", &[(Given::Behind, "--secret-string")]),
    ("sudo su", &[(Given::Fed, "-S -c")]),
    ("chpasswd passwd cryptsetup kinit runas smbpasswd", &[
        (Given::Fed, "chpasswd passwd cryptsetup kinit runas smbpasswd")]),
    ("gpg gpg2", &[(Given::Fed, "--passphrase-fd")]),
    ("htpasswd", &[(Given::Last, "-b")]),
    ("rabbitmqctl", &[(Given::Last, "add_user change_password")]),
    ("wpa_passphrase", &[(Given::Last, "wpa_passphrase")]),
    ("poetry composer bundle", &[(Given::Last, "http-basic")]),
    ("net", &[(Given::Last, "/user")]),
    ("nuget import", &[(Given::Behind, "-p -P -k")]),
    ("codecov doctl", &[(Given::Behind, "-t")]),
    ("signtool schtasks", &[(Given::Behind, "/p /rp")]),
    ("oathtool pdftk", &[(Given::Behind, "oathtool user_pw owner_pw input_pw")]),
    ("drush", &[(Given::Last, "user")]),
    ("pass", &[(Given::Fed, "insert")]),
    ("sqlplus", &[(Given::Login, "sqlplus")]),
    ("nmcli", &[(Given::Behind, "password wifi-sec.psk")]),
    ("encrypt_string ConvertTo-SecureString set-password hash-password", &[
        (Given::Behind, "encrypt_string ConvertTo-SecureString --plaintext")]),
];

/// For each first and last letter the lengths of the names that have them, a bit each: nearly all words of a
/// sentence are no program's, and are not looked for.
#[allow(
    clippy::indexing_slicing,
    reason = "computed by the compiler, which says so"
)]
const LENGTHS: [u32; 128] = {
    let mut lengths = [0; 128];
    let mut row = 0;
    while row < PROGRAMS.len() {
        let names = PROGRAMS[row].0.as_bytes();
        let (mut start, mut at) = (0, 0);
        while at <= names.len() {
            if at == names.len() || names[at] == b' ' {
                lengths[ends(names[start], names[at - 1])] |= 1 << (at - start);
                start = at + 1;
            }
            at += 1;
        }
        row += 1;
    }
    lengths
};

const fn ends(first: u8, last: u8) -> usize {
    (first as usize + 3 * last as usize) % 128
}

/// The names of the rows of which `name` is one.
pub(super) fn program(name: &str) -> Option<&'static str> {
    let lengths = LENGTHS.get(ends(*name.as_bytes().first()?, *name.as_bytes().last()?))?;
    if name.len() > 31 || lengths >> name.len() & 1 == 0 {
        return None;
    }
    let mut names = PROGRAMS.iter().map(|(names, ..)| *names);
    names.find(|names| holds(names, name))
}

/// What those programs are given, and by which words.
pub(super) fn given(program: &str) -> impl Iterator<Item = (Given, &'static str)> {
    let of_program = PROGRAMS.iter().filter(move |(names, _)| *names == program);
    let words = |(given, list): &(Given, &'static str)| {
        let given = *given;
        list.split_ascii_whitespace().map(move |word| (given, word))
    };
    of_program.flat_map(|(_, rows)| *rows).flat_map(words)
}

/// True for a program, or a word, whose operands are hashes, and no secrets.
pub(super) fn names_hashes(name: &str) -> bool {
    let is_sum = name.ends_with("sum") && name.len() >= 5;
    is_sum
        || matches!(
            name,
            "git" | "gh" | "glab" | "jj" | "hg" | "commit" | "revision" | "digest"
        )
}

/// True for a command that gives a name the value behind it: `set NAME value`, `npm config set name value`.
pub(super) fn sets(name: &str, place: usize) -> bool {
    match place {
        0 => matches!(name, "set" | "setx" | "setenv"),
        _ => place < 3 && matches!(name, "config" | "configure" | "variable"),
    }
}

/// True where `word` stands in `list`.
pub(super) fn holds(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}
