//! Packages, builds, tests, formatters and linters.

use super::Operands::{Each, Files, Folders, Names, Nothing, OneFile, Script, Targets, Tests};
use super::Options::{Changing, Flags, Numbers, OneOf, Paths, Programs, Runs, Texts};
use super::{PROJECT, READS, Row};
use crate::permissions::Reach;
use crate::shell::little;

#[rustfmt::skip]
pub(super) static BUILDING: &[Row] = &[
    Row { commands: "npm test, npm t, npm tst", options: &[Flags("--silent -s --coverage --watch --watchAll --ci \
            --verbose --workspaces --if-present --run --bail --runInBand -i"),
        Paths("-t --testNamePattern -w --workspace")], ..READS },
    Row { commands: "npm ls, npm list, npm ll, npm la, npm outdated, npm why, npm explain, npm root, npm bin, npm prefix", options: &[
        Flags("-a --all --json --long --parseable --prod --dev -g --global"), Numbers("--depth"), Paths("-w --workspace --omit")],
        operands: Names, ..READS },
    Row { commands: "npm view, npm info, npm show, npm v, npm search, npm s, npm find, npm fund, npm pkg get, npm query, npm \
            find-dupes, npm sbom, npm help-search, npm owner ls, npm dist-tag ls, npm cache ls, npm doctor, npm \
            ping, npm completion, npm run --list", options: &[Flags("--json")], operands: Names, ..READS },
    Row { commands: "npm audit", options: &[Flags("--json --production"), Paths("--omit --audit-level")],
        operands: Nothing, ..READS },
    Row { commands: "npm pack --dry-run, npm version, npm help, npm run, npm run-script, bundle list, bundle outdated, bundle check, bundle platform, swift package describe, swift package show-dependencies, xcodebuild -list, xcodebuild -version, xcodebuild -showsdks", operands: Nothing, ..READS },
    Row { commands: "npm run, npm run-script", options: &[Flags("--silent -s --workspaces --if-present --coverage \
            --watch --ci --verbose --run --json --noEmit --check --list --runInBand --passWithNoTests --quiet \
            --no-coverage"), Numbers("--max-warnings --bail"), Texts("-t --testNamePattern --grep -g \
            --testPathPattern"), Paths("-w --workspace --reporter"), Changing("--fix --write")],
        operands: Script, ..READS },
    Row { commands: "pnpm run, yarn run, pnpm, yarn", options: &[Flags("--silent -s -r --recursive --if-present --coverage \
            --watch --ci --verbose --run --check --list --runInBand --passWithNoTests --quiet --no-coverage"),
        Numbers("--max-warnings --bail"), Texts("-t --testNamePattern --grep -g --testPathPattern"),
        Paths("--filter --reporter"), Changing("--fix --write")], operands: Script, ..READS },
    // They are no scripts: what dependencies bring along is run.
    Row { commands: "pnpm rebuild, yarn rebuild", reach: Reach::Beyond, ..READS },
    Row { commands: "bun run", options: &[Flags("--silent --coverage --watch --check --list --runInBand \
            --passWithNoTests --quiet --no-coverage"), Numbers("--max-warnings --bail"), Texts("-t"),
        Paths("--filter --reporter"), Changing("--fix --write")], operands: Script, ..READS },
    Row { commands: "pnpm list, pnpm ls, pnpm why, pnpm outdated, yarn list, yarn ls, yarn why, yarn outdated", options: &[
        Flags("-r --json"), Numbers("--depth")], operands: Names, ..READS },
    Row { commands: "pnpm root, pnpm bin, pnpm licenses list, pnpm store path, yarn info, yarn workspaces list, bun pm ls", options: &[Flags("-g -r --json")], operands: Names, ..READS },
    Row { commands: "turbo run", options: &[Flags("--no-cache")], operands: Targets, ..READS },
    Row { commands: "bun test", options: &[Flags("--watch --coverage --only --todo"), Numbers("--bail --timeout"),
        Texts("-t")], operands: Files, ..READS },
    Row { commands: "npm start", options: &[Flags("--silent -s")], operands: Nothing, ..PROJECT },
    Row { commands: "npm ci, npm install, npm i", options: &[Flags("--silent -s --no-audit --no-fund \
            --prefer-offline --offline --ignore-scripts --legacy-peer-deps")], operands: Nothing, ..PROJECT },
    Row { commands: "npm install, npm i, npm add, pnpm add, yarn add, bun add, uv add, poetry add, pdm add, cargo add, pip \
            install, pip3 install, uv pip install", options: &[Flags("-D -S -E -d -q --save --save-dev --save-exact --dev \
            --exact --no-audit --no-fund --quiet"), Paths("--features --group --optional")],
        operands: Each(little::is_package), ..PROJECT },
    Row { commands: "npm prune, npm dedupe, pnpm, yarn", operands: Nothing, ..PROJECT },
    Row { commands: "pnpm install, yarn install, bun install", options: &[Flags("--frozen-lockfile --prefer-offline \
            --offline --immutable --silent --ignore-scripts")], operands: Nothing, ..PROJECT },
    Row { commands: "jest", options: &[Flags("--ci --coverage --watch --watchAll --verbose --silent --runInBand -i \
            -b --passWithNoTests --onlyChanged -o --json --detectOpenHandles --forceExit --listTests --no-coverage \
            --no-cache"), Numbers("--bail --maxWorkers -w"), Texts("-t --testNamePattern --testPathPattern"),
        Paths("--testPathPatterns")], ..READS },
    Row { commands: "vitest", options: &[Flags("--run --coverage --watch --ui --silent"), Numbers("--bail"),
        Texts("-t --testNamePattern")], ..READS },
    Row { commands: "vitest run, vitest watch, vitest list, vitest bench", options: &[Flags("--coverage --silent"),
        Numbers("--bail"), Texts("-t --testNamePattern")], ..READS },
    Row { commands: "mocha", options: &[Flags("--bail -b --watch -w --recursive --exit"), Numbers("--timeout"),
        Texts("--grep -g"), Paths("-t")], ..READS },
    Row { commands: "playwright test", options: &[Flags("--headed --list"), Texts("--project -g --grep"),
        Paths("--workers --retries --max-failures")], ..READS },
    Row { commands: "tsc, vue-tsc", options: &[Flags("--noEmit --watch -w --pretty --skipLibCheck --strict \
            --version -v --listFiles --showConfig --incremental --listFilesOnly --diagnostics --extendedDiagnostics \
            --explainFiles --noErrorTruncation --traceResolution"), Paths("-p --project"), Changing("--build -b")],
        ..READS },
    Row { commands: "eslint", options: &[Flags("--quiet --cache --no-cache --color --no-color \
            --report-unused-disable-directives"), Numbers("--max-warnings"), Texts("--ext"), Changing("--fix"),
        OneOf(&("--format", "stylish json compact unix html")), OneOf(&("-f", "stylish json compact unix html"))], ..READS },
    Row { commands: "eslint --print-config, node --check, node -c", ..READS },
    Row { commands: "stylelint", options: &[Flags("--quiet"), Numbers("--max-warnings"), Changing("--fix")], ..READS },
    Row { commands: "prettier", options: &[Flags("--check -c --list-different -l --ignore-unknown -u --no-color"),
        Paths("--log-level --loglevel"), Changing("--write -w")], ..READS },
    Row { commands: "biome check, biome lint, biome ci", options: &[Flags("--changed --staged"),
        Paths("--max-diagnostics --diagnostic-level"), Changing("--write --apply --fix")], ..READS },
    Row { commands: "biome format", options: &[Flags("--write")], ..PROJECT },
    Row { commands: "next lint, next build", options: &[Flags("--quiet"), Changing("--fix")], operands: Nothing,
        ..READS },
    Row { commands: "next dev, next start", options: &[Flags("--turbo --turbopack"), Paths("-p --port")],
        operands: Nothing, ..PROJECT },
    Row { commands: "vite build, astro build", options: &[Paths("--mode")], operands: Nothing, ..READS },
    Row { commands: "vite, vite dev, vite preview, astro dev, astro preview", options: &[Paths("--port")], operands: Nothing, ..PROJECT },
    Row { commands: "node --test", options: &[Flags("--watch --experimental-test-coverage --test-only"),
        Texts("--test-name-pattern")], operands: Tests, ..READS },
    Row { commands: "deno test, deno lint, deno check, deno bench", options: &[Flags("--watch --quiet -q \
            --fail-fast --parallel"), Texts("--filter")], operands: OneFile, ..READS },
    Row { commands: "deno fmt", options: &[Flags("--check")], ..PROJECT },
    Row { commands: "cargo test, cargo t", options: &[Flags("--lib --bins --tests --doc --examples --all \
            --workspace --all-targets --all-features --no-default-features --release -r --no-run --no-fail-fast -v \
            -q --verbose --quiet --locked --offline --frozen --nocapture --ignored --include-ignored --exact \
            --show-output --list"), Numbers("-j --jobs --test-threads"), Texts("--skip"), Paths("-p --package --bin \
            --test --example --exclude --features -F --profile --message-format --color")], ..READS },
    Row { commands: "cargo nextest run, cargo nextest list", options: &[Flags("--lib --bins --all --workspace \
            --all-targets --all-features --release --no-fail-fast -v --locked --offline --no-capture"), Numbers("-j"),
        Texts("-E"), Paths("-p --package --test --features --profile")], ..READS },
    Row { commands: "cargo build, cargo b, cargo check, cargo c, cargo clippy, cargo doc, cargo bench", options: &[
        Flags("--lib --bins --tests --benches --examples --all --workspace --all-targets --all-features \
            --no-default-features --release -r --keep-going -v -q --verbose --quiet --locked --offline --frozen \
            --no-deps --document-private-items --timings"), Numbers("-j --jobs"), Texts("-W -D -A"), Paths("-p \
            --package --bin --test --bench --example --exclude --features -F --profile --message-format --color")],
        operands: Nothing, ..READS },
    Row { commands: "cargo clippy --fix", options: &[Flags("--allow-dirty --allow-staged --all-targets \
            --all-features --workspace --lib --bins --tests"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo fmt --check", options: &[Flags("--all -v -q"), Paths("-p --package")], operands: Nothing,
        ..READS },
    Row { commands: "cargo fmt", options: &[Flags("--all --check -v -q -l"), Paths("-p --package")],
        operands: Nothing, ..PROJECT },
    Row { commands: "cargo fix", options: &[Flags("--allow-dirty --allow-staged --edition --all-targets --workspace \
            --lib"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo clean, cargo fetch, cargo generate-lockfile, cargo update", options: &[Flags("--release \
            --locked --offline"), Paths("-p")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo run", options: &[Flags("--release -r -q --quiet -v --verbose --all-features --locked \
            --offline"), Paths("-p --package --features"), Runs("--bin --example")], operands: Nothing, ..PROJECT },
    Row { commands: "cargo tree, cargo metadata, cargo pkgid, cargo outdated, cargo audit, cargo deny, cargo \
            machete, cargo locate-project", options: &[Flags("-d --duplicates --all-features --no-deps --locked \
            --offline --workspace"), Paths("-p --package -i --invert -e --edges --depth --features --format-version")],
        operands: Nothing, ..READS },
    Row { commands: "cargo --list, cargo read-manifest, cargo verify-project, rustup show, rustup toolchain list, rustup \
            target list, rustup component list, rustup which", options: &[Flags("-v --verbose --installed")], operands:
            Names, ..READS },
    Row { commands: "cargo search, cargo info, cargo pkgid", options: &[Flags("-v --verbose -q"), Numbers("--limit")], operands: Names, ..READS },
    Row { commands: "go test, go vet, go build, go list", options: &[Flags("-v -race -cover -short -failfast \
            -benchmem -json -m -x -trimpath -a"), Numbers("-count -parallel"), Texts("-run -bench -f -timeout -skip"),
        Paths("-cpu -tags -p")], operands: Folders, ..READS },
    Row { commands: "go list -m", options: &[Flags("-json -u -versions"), Texts("-f")], operands: Names, ..READS },
    Row { commands: "go env, go version, go doc, go help, go tool dist list", options: &[Flags("-json -all -short")], operands: Names, ..READS },
    Row { commands: "go mod graph, go mod verify, go mod why", options: &[Flags("-m")], operands: Nothing, ..READS },
    Row { commands: "go mod tidy, go mod download, go mod vendor", options: &[Flags("-v")], operands: Nothing,
        ..PROJECT },
    Row { commands: "go fmt", options: &[Flags("-n -x")], operands: Folders, ..PROJECT },
    Row { commands: "gofmt, goimports, gofumpt", options: &[Flags("-l -d -s"), Changing("-w")], ..READS },
    Row { commands: "golangci-lint run", options: &[Flags("--fast --verbose -v --new"), Paths("--timeout"),
        Changing("--fix")], ..READS },
    Row { commands: "staticcheck, shellcheck, hadolint, yamllint, actionlint, typos, codespell, tflint", options: &[Flags("-x --strict"), Texts("-e --exclude"), Paths("-s -S -f --severity")], ..READS },
    Row { commands: "shfmt", options: &[Flags("-d -l"), Paths("-i"), Changing("-w")], ..READS },
    Row { commands: "pytest", options: &[Flags("-v -q -x -s -l --lf --ff -vv --verbose --quiet --exitfirst \
            --last-failed --failed-first --collect-only --co --no-header --no-cov --disable-warnings -ra -rs -rf \
            -rA --strict-markers --showlocals --sw --stepwise --runxfail -vvv --cache-clear --setup-show --fixtures"),
        Numbers("--maxfail --durations"), Texts("-k -m --tb --ignore --deselect --timeout --log-level \
            --log-cli-level --import-mode -n --dist"), Paths("--cov --cov-report --color")], ..READS },
    Row { commands: "unittest", options: &[Flags("-v -q -f -b --verbose --failfast"), Texts("-k")], operands: Tests, ..READS },
    Row { commands: "unittest discover", options: &[Flags("-v"), Texts("-p"), Paths("-s -t")], ..READS },
    Row { commands: "mypy", options: &[Flags("--strict --ignore-missing-imports --show-error-codes \
            --no-error-summary --pretty --no-incremental --check-untyped-defs --namespace-packages \
            --explicit-package-bases --no-color-output --show-error-context --no-strict-optional \
            --show-column-numbers --no-site-packages"), Texts("-p -m --python-version --exclude")], ..READS },
    Row { commands: "pyright, basedpyright, flake8, pylint, vulture, bandit", options: &[Flags("-v --verbose \
            --outputjson --stats --errors-only -E -r -q -ll --statistics --count"), Texts("--select --ignore \
            --extend-ignore --disable --enable"), Paths("--max-line-length -j")], ..READS },
    Row { commands: "ruff check", options: &[Flags("--statistics --no-cache --quiet -q --diff --show-fixes \
            --preview -v --verbose --no-fix --show-files --exit-zero"), Texts("--select --ignore --extend-select \
            --exclude"), Paths("--output-format"), Changing("--fix --unsafe-fixes")], ..READS },
    Row { commands: "ruff format --check, ruff format --diff", options: &[Flags("--quiet -q"), Paths("--line-length")],
        ..READS },
    Row { commands: "ruff format", options: &[Flags("--check --diff --quiet -q"), Paths("--line-length")], ..PROJECT },
    Row { commands: "black --check, black --diff, black --check-only, isort --check, isort --diff, isort \
            --check-only", options: &[Flags("--check --diff -q -v --color"), Paths("-l --line-length --profile")],
        ..READS },
    Row { commands: "black, isort, autopep8", options: &[Flags("-q -v --in-place -i -r"), Paths("-l --line-length \
            --profile")], ..PROJECT },
    Row { commands: "coverage report, coverage xml, coverage html", options: &[Flags("-m --show-missing \
            --skip-covered"), Paths("--fail-under")], operands: Nothing, ..READS },
    Row { commands: "tox, nox", options: &[Flags("-q -v -l --list")], operands: Nothing, ..READS },
    Row { commands: "pip list, pip freeze, pip show, pip check, pip inspect, pip debug, pip cache dir, pip cache info, pip cache list, pip index versions, pip hash, pip3 list, pip3 freeze, \
            pip3 show, pip3 check, pip3 inspect, pip3 index versions, pip3 hash, uv pip list, uv pip show, uv pip freeze, uv pip check, uv pip \
            tree, uv tree, uv version, uv cache dir, uv python list, uv python find, uv python dir, uv tool list, pipx list", options: &[
        Flags("--outdated -o --uptodate -u --user --local -l --not-required --editable -e --include-editable \
            --exclude-editable --all --global --site --verbose -v --files -f --strict --all-versions --only-installed \
            --no-dedupe --pre --quiet -q --invert --outdated --frozen --locked"), Numbers("--depth -d"),
        Paths("--format --path --exclude --package --platform --algorithm -a")], operands: Names, ..READS },
    Row { commands: "pip install -r requirements.txt, pip install -r requirements-dev.txt, pip install -r \
            dev-requirements.txt, pip3 install -r requirements.txt, pip3 install -r requirements-dev.txt, pip3 \
            install -r dev-requirements.txt", options: &[Flags("--quiet -q --require-hashes")], operands: Nothing,
        ..PROJECT },
    Row { commands: "uv sync, uv lock", options: &[Flags("--frozen --locked --all-extras --dev --quiet --all-groups \
            --no-dev -q --all-packages --no-install-project --check --upgrade -U"), Paths("--extra --group")], operands: Nothing, ..PROJECT },
    Row { commands: "uv venv, uv export", options: &[Flags("--seed --no-dev --all-extras --no-hashes --quiet -q --frozen \
            --locked"), Paths("--format --extra -o --output-file"), Programs(&("--python -p", little::is_version))], operands: Nothing, ..PROJECT },
    Row { commands: "poetry install, pdm install, pipenv install, bundle install, composer install", options: &[
        Flags("--no-root --sync --frozen-lockfile --quiet -q --no-interaction -n --ignore-platform-reqs \
            --no-scripts")], operands: Nothing, ..PROJECT },
    Row { commands: "poetry show, poetry check, poetry validate, pdm show, pdm check, pdm validate, composer show, \
            composer check, composer validate, composer outdated, composer licenses, composer why, composer why-not, \
            composer depends, poetry env info, poetry env list, poetry version --short, gem list, gem search, gem info, gem \
            environment, gem which, gem contents, gem outdated, gem dependency, bundle show, bundle info, bundle licenses", options: &[Flags("--tree \
            --no-interaction -n --latest -l --outdated -o --all -a --local --remote -r --versions --paths --direct \
            -D")], operands: Names,
        ..READS },
    Row { commands: "rspec", options: &[Flags("--fail-fast --only-failures --color --no-color"), Texts("-e"),
        Paths("-P --order"), OneOf(&("-f", "documentation progress json d p")),
        OneOf(&("--format", "documentation progress json"))], ..READS },
    Row { commands: "rubocop, standardrb", options: &[Flags("--parallel"), Texts("--only"), Changing("-a -A \
            --autocorrect --auto-correct --fix"), OneOf(&("--format", "progress json simple clang"))], ..READS },
    Row { commands: "rails test, rails routes", options: &[Flags("--verbose -v")], ..READS },
    Row { commands: "rake, sbt, lein, zig build", operands: Targets, ..READS },
    Row { commands: "phpunit, pest, phpstan, psalm", options: &[Flags("--testdox --verbose --coverage \
            --stop-on-failure --no-progress"), Texts("--filter")], ..READS },
    Row { commands: "phpstan analyse, phpstan analyze", options: &[Flags("--no-progress"), Paths("--level -l \
            --memory-limit")], ..READS },
    Row { commands: "mix test, mix compile, mix credo, mix dialyzer", options: &[Flags("--trace --failed --stale \
            --warnings-as-errors --strict --force"), Texts("--only --exclude"), Paths("--seed")], ..READS },
    Row { commands: "mix format, mix deps.get", options: &[Flags("--check-formatted")], ..PROJECT },
    Row { commands: "make, gmake, just, task", options: &[Flags("-k -s -B -n --silent --quiet --keep-going \
            --dry-run --always-make"), Numbers("-j --jobs")], operands: Targets, ..READS },
    Row { commands: "make, gmake", options: &[Flags("-k -s -n --silent --quiet"), Numbers("-j")], operands: Nothing,
        ..READS },
    Row { commands: "gradle, gradlew, ./gradlew, mvn, mvnw, ./mvnw", options: &[Flags("-q -B -o --quiet --info \
            --stacktrace --no-daemon --offline --continue --batch-mode -DskipTests"), Texts("--tests"),
        Paths("--console")], operands: Targets, ..READS },
    Row { commands: "dotnet test, dotnet build", options: &[Flags("--no-build --no-restore --nologo"),
        Texts("--filter"), Paths("-c --configuration -v --verbosity")], ..READS },
    Row { commands: "dotnet format, dotnet restore", options: &[Flags("--verify-no-changes --no-restore")], ..PROJECT },
    Row { commands: "swift test, swift build, zig test, stack test, stack build, cabal test, cabal build, flutter test, \
            flutter build, flutter analyze, dart test, dart analyze, dart compile, bazel test, bazel build, bazel query", options: &[
        Flags("-v --verbose --coverage"), Texts("--filter"), Paths("-c")], ..READS },
    Row { commands: "swift format, zig fmt, dart format, terraform fmt, tofu fmt, buf format", options: &[Flags("-check -recursive -diff --check")],
        ..PROJECT },
    Row { commands: "terraform validate, terraform version, terraform providers, terraform graph, tofu validate, \
            tofu version, tofu providers, tofu graph", options: &[Flags("-json")], operands: Nothing, ..READS },
    Row { commands: "ctest", options: &[Flags("-V --output-on-failure --verbose -N"), Numbers("-j"), Texts("-R")],
        operands: Nothing, ..READS },
    Row { commands: "cmake --build", options: &[Numbers("-j --parallel"), Paths("--config")], operands: OneFile,
        ..READS },
    Row { commands: "rustfmt --check", options: &[Flags("-l"), Paths("--edition")], ..READS },
    Row { commands: "rustfmt", options: &[Flags("-l -v"), Paths("--edition")], ..PROJECT },
    Row { commands: "uv lock, poetry lock, pdm lock", options: &[Flags("--quiet -q --no-update")], operands: Nothing,
        ..PROJECT },
    Row { commands: "composer test, composer lint, zig build", options: &[Flags("-q -v")], operands: Nothing, ..READS },
];
