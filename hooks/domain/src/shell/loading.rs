//! Options by which a program loads code or settings, starts another program, or overwrites what it compares with:
//! what is named there is not known, so that no rule is proposed for it.

use super::listed::is_listed;
use super::parse::Word;

/// Options that do so in any program that has no row for them.
const ANYWHERE: &str = "--require --import --loader --experimental-loader --preload --plugin --plugins --plugin-dir --load-plugins \
    --load-plugin --load --load-extension --init-hook --setupFiles --setupFilesAfterEnv --setup-files --globalSetup --globalTeardown \
    --testEnvironment --environment --runner --testRunner --transform --resolver --reporter --reporters --formatter --rcfile --rc-file \
    --config --config-file --configFile --configuration --settings --settings-file --init-script --bootstrap --rulesdir --rules-dir \
    --resolve-plugins-relative-to --parser --processor --exec --toolexec --exec-path --pre --eval --command --shell --script-shell \
    --rootdir --override-ini --pdbcls --confcutdir --addopts --classpath --class-path --module-path --agentpath --env-file \
    --enable-extensions --custom-rules --custom-formatter --use --with --hook --hooks --transformer --compiler --launcher --wrapper \
    -exec -classpath -cp -Xplugin -fplugin -load";

/// The same in any program: no row's letters begin so.
const ALWAYS: &str = "-javaagent -agentpath -agentlib -toolexec -vettool";

/// What else some programs have, whatever their rows say; subcommands stand with the program.
const OF_PROGRAMS: &[(&str, &str)] = &[
    ("pytest", "-p -c -o --pastebin --basetemp --junit-xml"),
    ("pylint flake8 mypy bandit pyright", "--config-file -c"),
    (
        "jest vitest bun playwright",
        "-u --update --updateSnapshot --update-snapshots -c -r",
    ),
    (
        "npm pnpm yarn",
        "-u --update --updateSnapshot --update-snapshots",
    ),
    ("mocha ava tap nyc c8 tsx ts-node", "-r"),
    ("eslint stylelint", "-c -f --fix-to-stdout"),
    ("ruff", "--add-noqa"),
    ("rspec rubocop ruby standardrb", "-r -c"),
    ("go", "-fuzz -exec -toolexec -vettool -overlay -modfile"),
    ("actionlint", "-shellcheck -pyflakes -config-file"),
    ("node", "-r -e -p --import --loader"),
    ("java mvn gradle", "-javaagent -agentpath -agentlib -I"),
    ("phpunit php", "-c -d"),
    ("ctest cmake", "-S -P -C"),
    ("gradlew mvnw", "-I --init-script"),
    ("insta snapshot", "accept"),
];

/// Values that options of this kind have where they name what is built in.
const BUILT_IN: &str = "stylish json compact unix html default dot list line verbose basic tap spec junit github min nyan progress \
    documentation json-lines jsdom node happy-dom Debug Release RelWithDebInfo MinSizeRel debug release";

/// The argument by which `program` loads what is not known; `is_known` where a row has its other options.
pub(super) fn loads<'w>(program: &str, arguments: &'w [Word], is_known: bool) -> Option<&'w Word> {
    let program = program.rsplit('/').next().unwrap_or_default();
    let mut options = arguments.iter().enumerate();
    let found = options.find(|(at, word)| {
        let text = word.text.as_str();
        let (name, value) = text.split_once(['=', ':']).unwrap_or((text, ""));
        let next = arguments.get(at + 1).map_or("", |word| word.text.as_str());
        let value = if value.is_empty() { next } else { value };
        let mut rows = OF_PROGRAMS.iter();
        let of_program = |(programs, options): &(&str, &str)| {
            // `-pevil`: a letter with its value attached.
            let attached = |option: &str| {
                let rest = text.strip_prefix(option).unwrap_or_default();
                option.len() == 2 && !rest.is_empty() && option != "-r" && option != "-c"
            };
            is_listed(programs, program)
                && (is_listed(options, name) || options.split(' ').any(attached))
        };
        let is_built_in = is_listed(BUILT_IN, value) || value.starts_with("no:");
        name.starts_with('-')
            && !is_built_in
            && (rows.any(of_program)
                || is_listed(ALWAYS, name)
                || (!is_known && is_listed(ANYWHERE, name)))
    });
    found.map(|(_, word)| word)
}
