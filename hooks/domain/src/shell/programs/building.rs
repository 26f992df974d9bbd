//! Packages, builds, tests, formatters and linters.

use super::Operands::{Files, Folders, Names, Nothing, OneFile, Script, Targets};
use super::{PROJECT, READS, Row};

#[rustfmt::skip]
pub(super) static BUILDING: &[Row] = &[
    Row { commands: "npm test, npm t, npm tst", flags: "--silent -s --coverage --watch --watchAll --ci --verbose \
            --workspaces --if-present --run --bail --runInBand -i", texts: "-t --testNamePattern", files: "-w \
            --workspace", changing: "-u --update --updateSnapshot", ..READS },
    Row { commands: "npm ls, npm list, npm outdated, npm why, npm explain, npm root, npm bin, npm prefix",
        flags: "-a --all --json --long --parseable --prod --dev", numbers: "--depth", files: "-w --workspace \
            --omit", operands: Names, ..READS },
    Row { commands: "npm view, npm info, npm show", flags: "--json", operands: Names, ..READS },
    Row { commands: "npm audit", flags: "--json --production", files: "--omit --audit-level", operands: Nothing,
        ..READS },
    Row { commands: "npm pack --dry-run", operands: Nothing, ..READS },
    Row { commands: "npm version, npm help", operands: Nothing, ..READS },
    Row { commands: "npm run, npm run-script", flags: "--silent -s --workspaces --if-present --coverage --watch \
            --ci --verbose --run --json --noEmit --check --list --runInBand --passWithNoTests --quiet \
            --no-coverage", numbers: "--max-warnings --bail", texts: "-t --testNamePattern --grep -g \
            --testPathPattern --reporter", files: "-w --workspace", changing: "--fix -u --update --write",
        operands: Script, ..READS },
    Row { commands: "pnpm run", flags: "--silent -s -r -w --recursive --if-present --coverage --watch --ci \
            --verbose --run --check --list --runInBand --passWithNoTests --quiet --no-coverage",
        numbers: "--max-warnings --bail", texts: "-t --testNamePattern --grep -g --testPathPattern --filter \
            --reporter", changing: "--fix -u --update --write", operands: Script, ..READS },
    Row { commands: "yarn run", flags: "--silent -s --coverage --watch --ci --verbose --run --check --list \
            --runInBand --passWithNoTests --quiet --no-coverage", numbers: "--max-warnings --bail", texts: "-t \
            --testNamePattern --grep -g --testPathPattern --filter --reporter", changing: "--fix -u --update \
            --write", operands: Script, ..READS },
    Row { commands: "bun run", flags: "--silent --coverage --watch --check --list --runInBand --passWithNoTests \
            --quiet --no-coverage", numbers: "--max-warnings --bail", texts: "-t --filter --reporter",
        changing: "--fix -u --update --write", operands: Script, ..READS },
    Row { commands: "pnpm, yarn", flags: "--silent -s -r --recursive --coverage --watch --ci --verbose --run \
            --check --list --runInBand --passWithNoTests --quiet --no-coverage", numbers: "--max-warnings --bail",
        texts: "-t --testNamePattern --grep -g --testPathPattern --filter --reporter", changing: "--fix -u \
            --update --write", operands: Script, ..READS },
    Row { commands: "pnpm list, pnpm ls, pnpm why, pnpm outdated, yarn list, yarn ls, yarn why, yarn outdated",
        flags: "-r --json", numbers: "--depth", operands: Names, ..READS },
    Row { commands: "turbo run", flags: "--no-cache", operands: Targets, ..READS },
    Row { commands: "bun test", flags: "--watch --coverage --only --todo", numbers: "--bail --timeout", texts: "-t",
        changing: "-u --update-snapshots", operands: Files, ..READS },
    Row { commands: "npm start", flags: "--silent -s", operands: Nothing, ..PROJECT },
    Row { commands: "npm ci, npm install, npm i", flags: "--silent -s --no-audit --no-fund --prefer-offline \
            --offline --ignore-scripts --legacy-peer-deps", operands: Nothing, ..PROJECT },
    Row { commands: "npm prune, npm dedupe", operands: Nothing, ..PROJECT },
    Row { commands: "pnpm install, yarn install, bun install", flags: "--frozen-lockfile --prefer-offline \
            --offline --immutable --silent --ignore-scripts", operands: Nothing, ..PROJECT },
    Row { commands: "pnpm, yarn", operands: Nothing, ..PROJECT },
    Row { commands: "jest", flags: "--ci --coverage --watch --watchAll --verbose --silent --runInBand -i -b \
            --passWithNoTests --onlyChanged -o --json --detectOpenHandles --forceExit --listTests --no-coverage \
            --no-cache", numbers: "--bail --maxWorkers -w", texts: "-t --testNamePattern --testPathPattern",
        files: "--testPathPatterns", changing: "-u --updateSnapshot", ..READS },
    Row { commands: "vitest", flags: "--run --coverage --watch --ui --silent", numbers: "--bail", texts: "-t \
            --testNamePattern", changing: "-u --update", ..READS },
    Row { commands: "vitest run, vitest watch, vitest list, vitest bench", flags: "--coverage --silent",
        numbers: "--bail", texts: "-t --testNamePattern", changing: "-u --update", ..READS },
    Row { commands: "mocha", flags: "--bail -b --watch -w --recursive --exit", numbers: "--timeout",
        texts: "--grep -g", files: "-t", ..READS },
    Row { commands: "ava, tap", flags: "--verbose -v --watch -w --serial -s", ..READS },
    Row { commands: "playwright test", flags: "--headed --list", texts: "--project -g --grep", files: "--workers \
            --retries --max-failures", changing: "--update-snapshots", ..READS },
    Row { commands: "tsc, vue-tsc", flags: "--noEmit --watch -w --pretty --skipLibCheck --strict --version -v \
            --listFiles --showConfig --incremental --listFilesOnly --diagnostics --extendedDiagnostics \
            --explainFiles --noErrorTruncation --traceResolution", files: "-p --project", changing: "--build -b",
        ..READS },
    Row { commands: "eslint", flags: "--quiet --cache --no-cache --color --no-color \
            --report-unused-disable-directives", numbers: "--max-warnings", texts: "--ext", changing: "--fix",
        choices: &[("--format", "stylish json compact unix html"), ("-f", "stylish json compact unix html")],
        ..READS },
    Row { commands: "eslint --print-config", ..READS },
    Row { commands: "stylelint", flags: "--quiet", numbers: "--max-warnings", changing: "--fix", ..READS },
    Row { commands: "prettier", flags: "--check -c --list-different -l --ignore-unknown -u --no-color",
        files: "--log-level --loglevel", changing: "--write -w", ..READS },
    Row { commands: "biome check, biome lint, biome ci", flags: "--changed --staged", files: "--max-diagnostics \
            --diagnostic-level", changing: "--write --apply --fix", ..READS },
    Row { commands: "biome format", flags: "--write", ..PROJECT },
    Row { commands: "svelte-check, knip, publint, attw, tsd, size-limit", flags: "--watch --production --json",
        operands: Nothing, ..READS },
    Row { commands: "next lint, next build", flags: "--quiet", changing: "--fix", operands: Nothing, ..READS },
    Row { commands: "next dev, next start", flags: "--turbo --turbopack", files: "-p --port", operands: Nothing,
        ..PROJECT },
    Row { commands: "vite build, astro build", files: "--mode", operands: Nothing, ..READS },
    Row { commands: "vite", files: "--port", operands: Nothing, ..PROJECT },
    Row { commands: "vite dev, vite preview, astro dev, astro preview", files: "--port", operands: Nothing,
        ..PROJECT },
    Row { commands: "node --test", flags: "--watch --experimental-test-coverage --test-only",
        texts: "--test-name-pattern", ..READS },
    Row { commands: "node --check, node -c", ..READS },
    Row { commands: "deno test, deno lint, deno check, deno bench", flags: "--watch --quiet -q --fail-fast \
            --parallel", texts: "--filter", operands: OneFile, ..READS },
    Row { commands: "deno fmt", flags: "--check", ..PROJECT },
    Row { commands: "cargo test, cargo t", flags: "--lib --bins --tests --doc --examples --all --workspace \
            --all-targets --all-features --no-default-features --release -r --no-run --no-fail-fast -v -q \
            --verbose --quiet --locked --offline --frozen --nocapture --ignored --include-ignored --exact \
            --show-output --list", numbers: "-j --jobs --test-threads", texts: "--skip", files: "-p --package \
            --bin --test --example --exclude --features -F --profile --message-format --color", ..READS },
    Row { commands: "cargo nextest run, cargo nextest list", flags: "--lib --bins --all --workspace --all-targets \
            --all-features --release --no-fail-fast -v --locked --offline --no-capture", numbers: "-j", texts: "-E",
        files: "-p --package --test --features --profile", ..READS },
    Row { commands: "cargo build, cargo b, cargo check, cargo c, cargo clippy, cargo doc, cargo bench",
        flags: "--lib --bins --tests --benches --examples --all --workspace --all-targets --all-features \
            --no-default-features --release -r --keep-going -v -q --verbose --quiet --locked --offline --frozen \
            --no-deps --document-private-items --timings", numbers: "-j --jobs", texts: "-W -D -A", files: "-p \
            --package --bin --test --bench --example --exclude --features -F --profile --message-format --color",
        operands: Nothing, ..READS },
    Row { commands: "cargo clippy --fix", flags: "--allow-dirty --allow-staged --all-targets --all-features \
            --workspace --lib --bins --tests", files: "-p", operands: Nothing, ..PROJECT },
    Row { commands: "cargo fmt --check", flags: "--all -v -q", files: "-p --package", operands: Nothing, ..READS },
    Row { commands: "cargo fmt", flags: "--all --check -v -q -l", files: "-p --package", operands: Nothing,
        ..PROJECT },
    Row { commands: "cargo fix", flags: "--allow-dirty --allow-staged --edition --all-targets --workspace --lib",
        files: "-p", operands: Nothing, ..PROJECT },
    Row { commands: "cargo clean, cargo fetch, cargo generate-lockfile, cargo update", flags: "--release --locked \
            --offline", files: "-p", operands: Nothing, ..PROJECT },
    Row { commands: "cargo run", flags: "--release -r -q --quiet -v --verbose --all-features --locked --offline",
        files: "-p --package --features", runs: "--bin --example", operands: Nothing, ..PROJECT },
    Row { commands: "cargo tree, cargo metadata, cargo pkgid, cargo outdated, cargo audit, cargo deny, cargo \
            machete, cargo locate-project", flags: "-d --duplicates --all-features --no-deps --locked --offline \
            --workspace", files: "-p --package -i --invert -e --edges --depth --features --format-version",
        operands: Nothing, ..READS },
    Row { commands: "cargo deny check", operands: Names, ..READS },
    Row { commands: "cargo --list", operands: Nothing, ..READS },
    Row { commands: "cargo search, cargo info", numbers: "--limit", operands: Names, ..READS },
    Row { commands: "go test, go vet, go build, go list", flags: "-v -race -cover -short -failfast -benchmem \
            -json -m -x -trimpath -a", numbers: "-count -parallel", texts: "-run -bench -f -timeout -skip",
        files: "-cpu -tags -p", operands: Folders, ..READS },
    Row { commands: "go env, go version, go doc", flags: "-json -all -short", operands: Names, ..READS },
    Row { commands: "go mod graph, go mod verify, go mod why", flags: "-m", operands: Nothing, ..READS },
    Row { commands: "go mod tidy, go mod download, go mod vendor", flags: "-v", operands: Nothing, ..PROJECT },
    Row { commands: "go fmt", flags: "-n -x", operands: Folders, ..PROJECT },
    Row { commands: "gofmt, goimports, gofumpt", flags: "-l -d -s", changing: "-w", ..READS },
    Row { commands: "golangci-lint run", flags: "--fast --verbose -v --new", files: "--timeout", changing: "--fix",
        ..READS },
    Row { commands: "staticcheck, shellcheck, hadolint, yamllint, actionlint, typos, codespell, markdownlint, \
            tflint", flags: "-x --strict", texts: "-e --exclude", files: "-s -S -f --severity", ..READS },
    Row { commands: "shfmt", flags: "-d -l", files: "-i", changing: "-w", ..READS },
    Row { commands: "taplo check, taplo lint", ..READS },
    Row { commands: "taplo fmt, taplo format", flags: "--check", ..PROJECT },
    Row { commands: "pytest", flags: "-v -q -x -s -l --lf --ff -vv --verbose --quiet --exitfirst --last-failed \
            --failed-first --collect-only --co --no-header --no-cov --disable-warnings -ra -rs -rf -rA \
            --strict-markers --showlocals --sw --stepwise --runxfail -vvv --cache-clear --setup-show --fixtures",
        numbers: "--maxfail --durations", texts: "-k -m --tb --ignore --deselect --timeout --log-level \
            --log-cli-level --import-mode -n --dist", files: "--cov --cov-report --color", ..READS },
    Row { commands: "unittest", flags: "-v -q -f -b --verbose --failfast", texts: "-k", ..READS },
    Row { commands: "unittest discover", flags: "-v", texts: "-p", files: "-s -t", ..READS },
    Row { commands: "mypy", flags: "--strict --ignore-missing-imports --show-error-codes --no-error-summary \
            --pretty --no-incremental --check-untyped-defs --namespace-packages --explicit-package-bases \
            --no-color-output --show-error-context --no-strict-optional --show-column-numbers --no-site-packages",
        texts: "-p -m --python-version --exclude", ..READS },
    Row { commands: "pyright, basedpyright, flake8, pylint, vulture, bandit", flags: "-v --verbose --outputjson \
            --stats --errors-only -E -r -q -ll --statistics --count", texts: "--select --ignore --extend-ignore \
            --disable --enable", files: "--max-line-length -j", ..READS },
    Row { commands: "ruff check", flags: "--statistics --no-cache --quiet -q --diff --show-fixes --preview -v \
            --verbose --no-fix --show-files --exit-zero", texts: "--select --ignore --extend-select --exclude",
        files: "--output-format", changing: "--fix --unsafe-fixes --add-noqa", ..READS },
    Row { commands: "ruff format --check, ruff format --diff", flags: "--quiet -q", files: "--line-length", ..READS },
    Row { commands: "ruff format", flags: "--check --diff --quiet -q", files: "--line-length", ..PROJECT },
    Row { commands: "black --check, black --diff, black --check-only, isort --check, isort --diff, isort \
            --check-only", flags: "--check --diff -q -v --color", files: "-l --line-length --profile", ..READS },
    Row { commands: "black, isort, autopep8", flags: "-q -v --in-place -i -r", files: "-l --line-length --profile",
        ..PROJECT },
    Row { commands: "coverage report, coverage xml, coverage html", flags: "-m --show-missing --skip-covered",
        files: "--fail-under", operands: Nothing, ..READS },
    Row { commands: "tox, nox", flags: "-q -v -l --list", operands: Nothing, ..READS },
    Row { commands: "pip list, pip freeze, pip show, pip check, pip3 list, pip3 freeze, pip3 show, pip3 check",
        flags: "--outdated -o", files: "--format", operands: Names, ..READS },
    Row { commands: "pip install -r requirements.txt, pip install -r requirements-dev.txt, pip install -r \
            dev-requirements.txt, pip3 install -r requirements.txt, pip3 install -r requirements-dev.txt, pip3 \
            install -r dev-requirements.txt", flags: "--quiet -q --require-hashes", operands: Nothing, ..PROJECT },
    Row { commands: "uv sync, uv lock", flags: "--frozen --locked --all-extras --dev --quiet --all-groups \
            --no-dev -q --all-packages", files: "--extra --group", operands: Nothing, ..PROJECT },
    Row { commands: "uv tree, uv version", operands: Nothing, ..READS },
    Row { commands: "uv pip list, uv pip show, uv pip freeze", operands: Names, ..READS },
    Row { commands: "poetry install, pdm install, pipenv install, bundle install, composer install",
        flags: "--no-root --sync --frozen-lockfile --quiet -q --no-interaction -n --ignore-platform-reqs \
            --no-scripts", operands: Nothing, ..PROJECT },
    Row { commands: "poetry show, poetry check, poetry validate, pdm show, pdm check, pdm validate, composer \
            show, composer check, composer validate", flags: "--tree --no-interaction -n", operands: Names, ..READS },
    Row { commands: "bundle list, bundle outdated, bundle check", operands: Nothing, ..READS },
    Row { commands: "rspec", flags: "--fail-fast --only-failures --color --no-color", texts: "-e -P",
        files: "--order",
        choices: &[("-f", "documentation progress json d p"), ("--format", "documentation progress json")], ..READS },
    Row { commands: "rubocop, standardrb", flags: "--parallel", texts: "--only", changing: "-a -A --autocorrect \
            --auto-correct --fix", choices: &[("--format", "progress json simple clang")], ..READS },
    Row { commands: "rails test, rails routes", flags: "--verbose -v", ..READS },
    Row { commands: "rake, sbt, lein", operands: Targets, ..READS },
    Row { commands: "phpunit, pest, phpstan, psalm", flags: "--testdox --verbose --coverage --stop-on-failure \
            --no-progress", texts: "--filter", ..READS },
    Row { commands: "phpstan analyse, phpstan analyze", flags: "--no-progress", files: "--level -l --memory-limit",
        ..READS },
    Row { commands: "pint, php-cs-fixer", flags: "--test --dirty", ..PROJECT },
    Row { commands: "mix test, mix compile, mix credo, mix dialyzer", flags: "--trace --failed --stale \
            --warnings-as-errors --strict --force", texts: "--only --exclude", files: "--seed", ..READS },
    Row { commands: "mix format, mix deps.get", flags: "--check-formatted", ..PROJECT },
    Row { commands: "make, gmake, just, task", flags: "-k -s -B -n --silent --quiet --keep-going --dry-run \
            --always-make", numbers: "-j --jobs", operands: Targets, ..READS },
    Row { commands: "make, gmake", flags: "-k -s -n --silent --quiet", numbers: "-j", operands: Nothing, ..READS },
    Row { commands: "gradle, gradlew, ./gradlew, mvn, mvnw, ./mvnw", flags: "-q -B -o --quiet --info --stacktrace \
            --no-daemon --offline --continue --batch-mode -DskipTests", texts: "--tests", files: "--console",
        operands: Targets, ..READS },
    Row { commands: "dotnet test, dotnet build", flags: "--no-build --no-restore --nologo", texts: "--filter",
        files: "-c --configuration -v --verbosity", ..READS },
    Row { commands: "dotnet format, dotnet restore", flags: "--verify-no-changes --no-restore", ..PROJECT },
    Row { commands: "swift test, swift build, swift analyze, swift compile, swift query, zig test, zig build, zig \
            analyze, zig compile, zig query, stack test, stack build, stack analyze, stack compile, stack query, \
            cabal test, cabal build, cabal analyze, cabal compile, cabal query, flutter test, flutter build, \
            flutter analyze, flutter compile, flutter query, dart test, dart build, dart analyze, dart compile, \
            dart query, bazel test, bazel build, bazel analyze, bazel compile, bazel query", flags: "-v --verbose \
            --coverage", texts: "--filter", files: "-c", ..READS },
    Row { commands: "swift fmt, swift format, zig fmt, zig format, dart fmt, dart format, terraform fmt, \
            terraform format, tofu fmt, tofu format, buf fmt, buf format", flags: "-check -recursive -diff \
            --check", ..PROJECT },
    Row { commands: "terraform validate, terraform version, terraform providers, terraform graph, tofu validate, \
            tofu version, tofu providers, tofu graph", flags: "-json", operands: Nothing, ..READS },
    Row { commands: "buf lint, buf build", ..READS },
    Row { commands: "swiftlint, ktlint, detekt, tsd", flags: "--strict --quiet", operands: Nothing, ..READS },
    Row { commands: "ctest", flags: "-V --output-on-failure --verbose -N", numbers: "-j", texts: "-R",
        operands: Nothing, ..READS },
    Row { commands: "cmake --build", numbers: "-j --parallel", files: "--config", operands: OneFile, ..READS },
    Row { commands: "mkdocs build, mdbook build, hugo build", flags: "--strict -q", operands: Nothing, ..READS },
    Row { commands: "sqlfluff lint", files: "--dialect", ..READS },
    Row { commands: "rustfmt --check", flags: "-l", files: "--edition", ..READS },
    Row { commands: "rustfmt", flags: "-l -v", files: "--edition", ..PROJECT },
    Row { commands: "uv lock, poetry lock, pdm lock", flags: "--quiet -q --no-update", operands: Nothing, ..PROJECT },
    Row { commands: "swift package describe, swift package show-dependencies", operands: Nothing, ..READS },
    Row { commands: "xcodebuild -list, xcodebuild -version, xcodebuild -showsdks", operands: Nothing, ..READS },
    Row { commands: "composer test, composer lint", flags: "-q -v", operands: Nothing, ..READS },
];
