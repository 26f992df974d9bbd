//! Which programs only show, and which work on this project alone.
//!
//! One line each: the program, its subcommands, then options: `!x` forbids one, and a line with `:`
//! allows those behind it and nothing else. Short options are forbidden inside clusters too (`-ni`).

/// Programs that only show.
pub(super) const SHOWING: &str = "\
ls\ncat\nhead\ntail\nwc\ngrep\negrep\nfgrep\nzgrep\nrg !--pre\nag\nack\nstat\nfile\ndu\ndf\npwd\necho\nprintf\n\
true\nfalse\nwhich\ntype\nwhereis\nwhoami\nid\ngroups\nuname\nuptime\nps\nfree\nprintenv :\nenv :\nbasename\n\
dirname\nrealpath\nreadlink\ndiff !--output\ncmp\ncomm\nsort !-o !--output !-T !--compress-program\ncut\ntr\nnl\n\
tac\nrev\nfold\nfmt\ncolumn\npaste\njoin\njq\nyq !-i !--inplace\nxxd !-r\nhexdump\nod\nstrings\nmd5sum\nsha1sum\n\
sha256sum\nsha512sum\nshasum\nb3sum\ncksum\ntree !-o\nless\nmore\nman\nfd !-x !-X !--exec !--exec-batch\n\
test\n[\nsleep\nseq\nlsof\nnetstat\nss\nping\ndig\nnslookup\nnproc\nlscpu\nlsblk\nlocale\ncal\nbat\nbatcat\nexa\n\
eza\ncloc\ntokei\nscc\ncd\nhostname :-f -i -I -s\ndate !-s !--set\nnm\nobjdump\nreadelf\nldd\nzcat\nexpr\ndua\n\
journalctl !--vacuum-size !--vacuum-time !--vacuum-files !--rotate !--flush\npgrep\npstree\nvmstat\niostat\n\
delta\ndifft\nglow\nmdcat\nxmllint !--output !-o\n";

/// Programs that build, test, format or lint what lies here.
pub(super) const LOCAL: &str = "\
pytest\nmypy\nruff\nblack\nisort\nflake8\npylint\npyright\nbasedpyright\ntox\nnox\ncoverage\nbandit\nvulture\n\
eslint\nprettier\ntsc\njest\nvitest\nmocha\nava\nbiome\noxlint\nstylelint\nmarkdownlint\nplaywright test\n\
cypress run\ntsd\nknip\nattw\npublint\nesbuild\nrollup\nwebpack\nvite build\nvite dev\nvite preview\nvite :\n\
next build\nnext dev\nnext lint\nstorybook dev\nstorybook build\nturbo lint\nturbo test\nturbo build\nnx test\n\
nx lint\nnx build\nsvelte-check\nvue-tsc\nastro check\nastro build\ncommitlint\nlint-staged\nsize-limit\n\
gofmt\ngofumpt\ngoimports\ngolangci-lint\nstaticcheck\nrustfmt\nrustc\nclang-format\nclang-tidy\ncmake\nctest\n\
gcc\ng++\nclang\nclang++\ncc\nninja\nmeson setup\nmeson compile\nmeson test\nbazel build\nbazel test\nbazel query\n\
shellcheck\nshfmt\nhadolint\nyamllint\nactionlint\ntaplo\ntypos\ncodespell\nvale\nrubocop\nrspec\nminitest\n\
standardrb\nsorbet\nphpunit\nphpstan\npsalm\npint\nphp-cs-fixer\nmix test\nmix format\nmix compile\nmix credo\n\
mix dialyzer\nmix deps.get\nswift build\nswift test\nswiftlint\nswiftformat\nxcodebuild test\nxcodebuild build\n\
dotnet build\ndotnet test\ndotnet format\ndotnet restore\nzig build test\nzig fmt\nzig test\ncabal build\n\
cabal test\nstack build\nstack test\nhlint\normolu\nghc\nelm-format\nelm make\nktlint\ndetekt\nscalafmt\n\
sbt test\nsbt compile\nlein test\nflutter test\nflutter analyze\nflutter pub get\ndart test\ndart analyze\n\
dart format\ndart pub get\nterraform fmt\ntofu fmt\nterraform init\ntflint\nbuf lint\nprotoc\nsqlfluff lint\n\
pre-commit run\nmkdocs build\nmdbook build\nsphinx-build\nhugo :\njekyll build\n\
rails test\nbin/rails test\nrake test\nrake spec\ndeno test\ndeno lint\ndeno fmt\ndeno check\nnode --test\n\
python -m pytest\npython -m unittest\npython -m mypy\npython -m black\npython -m ruff\npython -m venv\n\
python -m build\npython -m compileall\npython -m json.tool\npython -m doctest\npython manage.py test\n\
python manage.py check\npip install !--target !-t !--user !--break-system-packages !--index-url !-i\n\
pip download\npipenv install\npoetry install\npoetry lock\npoetry add\npoetry build\npoetry check\nuv sync\n\
uv lock\nuv add\nuv build\nuv venv\nuv pip install\npdm install\nhatch test\nhatch build\nhatch fmt\n\
bundle install\nbundle\ncomposer install\ncomposer dump-autoload\ncomposer validate\ncomposer test\nmkdir\ntouch\n\
rustup component\nrustup update\nrustup target\n";

/// Subcommands of programs that do both: `R` only shows, `L` works on this project alone.
pub(super) const SUBCOMMANDS: &str = "\
R git status\nR git log !--output\nR git diff !--output !--ext-diff\nR git show !--output !--ext-diff\n\
R git blame\nR git annotate\nR git shortlog\nR git describe\nR git rev-parse\nR git rev-list\nR git ls-files\n\
R git ls-tree\nR git ls-remote\nR git cat-file\nR git grep !-O !--open-files-in-pager\nR git merge-base\n\
R git name-rev\nR git whatchanged\nR git range-diff\nR git cherry\nR git count-objects\nR git check-ignore\n\
R git for-each-ref\nR git show-ref\nR git var\nR git version\nR git help\nR git diff-tree\nR git fsck\n\
R git branch :-a -r -v -vv --all --remotes --list --show-current --merged --no-merged\n\
R git branch --list\nR git branch --contains\n\
R git tag :-l --list -n --sort\nR git tag -l\nR git tag --list\nR git remote :-v --verbose\nR git remote show\n\
R git remote get-url\nR git stash list\nR git stash show\nR git worktree list\nR git config --get\n\
R git config --list :--list --show-origin\nR git config -l :-l\nR git reflog :\nR git reflog show\n\
R git submodule status\nR git bisect log\nR git clean -n :-n -d -x\nR git clean --dry-run :--dry-run -d -x\n\
R git clean -nd :-nd\nR git clean -dn :-dn\nR git apply --check\nR git push --dry-run :--dry-run\n\
L git add !-f !--force\nL git commit !--amend !--no-verify !-n !--fixup !-S\nL git init\nL git fetch !--force !-f !--prune !-p\n\
L git stash push\nL git stash :\nL git stash save\nL git switch !-f !--force !--discard-changes !-C\n\
L git checkout -b\nL git restore --staged !--worktree !-W\nL git mv !-f\nL git branch -c\nL git worktree add !-f !--force\n\
L git notes add\nL git submodule update !--force !-f\n\
R cargo tree\nR cargo metadata\nR cargo search\nR cargo version\nR cargo help\nR cargo info\nR cargo locate-project\n\
R cargo pkgid\nR cargo outdated\nR cargo audit\nR cargo deny\nR cargo machete\nR cargo udeps\nR cargo geiger\n\
R cargo bloat\nR cargo semver-checks\nR cargo expand\n\
L cargo test !--config\nL cargo t\nL cargo build !--config\nL cargo b\nL cargo check !--config\nL cargo c\nL cargo clippy\nL cargo fmt\n\
L cargo doc\nL cargo bench\nL cargo run :--release -r --quiet -q --verbose -v\nL cargo run --bin :--bin\nL cargo run --example\nL cargo update\nL cargo add\n\
L cargo clean\nL cargo fix\nL cargo nextest\nL cargo llvm-cov\nL cargo tarpaulin\nL cargo insta\nL cargo mutants\n\
L cargo new\nL cargo init\nL cargo fetch\nL cargo package\nL cargo miri\nL cargo fuzz\nL cargo generate-lockfile\n\
L cargo hack\nL cargo criterion\nL cargo sort\nL cargo spellcheck\nL cargo rustc\nL cargo publish --dry-run\n\
R npm ls\nR npm list\nR npm view\nR npm info\nR npm outdated\nR npm explain\nR npm audit :--json --omit\nR npm search\n\
R npm why\nR npm version :\nR npm help\nR npm pkg get\nR npm config get\nR npm config list\nR npm whoami\n\
R npm publish --dry-run\n\
L npm test\nL npm t\nL npm install !-g !--global !--prefix\nL npm i !-g !--global !--prefix\nL npm ci\nL npm pack\n\
L npm start\nL npm audit fix !--force\nL npm update !-g\nL npm dedupe\nL npm init\nL npm prune\n\
R go list\nR go version\nR go env !-w !-u\nR go doc\nR go help\nR go mod graph\nR go mod why\nR go mod verify\n\
L go test !-exec\nL go build\nL go vet\nL go fmt\nL go mod tidy\nL go mod download\nL go mod init\nL go mod vendor\nL go get\n\
L go run .\nL go work\nL go tool\n\
R docker ps\nR docker images\nR docker logs\nR docker inspect\nR docker version\nR docker info\nR docker stats\n\
R docker top\nR docker port\nR docker history\nR docker diff\nR docker image ls\nR docker container ls\n\
R docker volume ls\nR docker network ls\nR docker compose ps\nR docker compose logs\nR docker compose config\n\
R docker-compose ps\nR docker-compose logs\nR docker-compose config\nR docker system df\nR docker context ls\n\
L docker build !--push\nL docker compose build\nL docker-compose build\nL docker compose up !--force-recreate !-V\n\
L docker-compose up !--force-recreate !-V\nL docker compose stop\nL docker compose start\n\
R kubectl describe\nR kubectl logs\nR kubectl top\nR kubectl version\nR kubectl explain\nR kubectl api-resources\n\
R kubectl cluster-info\nR kubectl config view !--raw\nR kubectl config current-context\n\
R kubectl config get-contexts\nR kubectl diff\nR kubectl get !--raw\nR kubectl auth can-i\nR kubectl rollout status\n\
R kubectl rollout history\nR helm list\nR helm status\nR helm get\nR helm template\nR helm lint\nR helm history\n\
R helm show\nR helm diff\nR helm version\nR helm search\n\
R terraform plan !-out\nR terraform validate\nR terraform show\nR terraform version\nR terraform providers\n\
R terraform graph\nR terraform state list\nR terraform state show\nR tofu plan !-out\nR tofu validate\n\
R terraform fmt -check\n\
R gh pr view\nR gh pr list\nR gh pr diff\nR gh pr checks\nR gh pr status\nR gh issue view\nR gh issue list\n\
R gh issue status\nR gh run view\nR gh run list\nR gh run watch\nR gh repo view\nR gh release view\nR gh release list\n\
R gh auth status !-t !--show-token\nR gh workflow list\nR gh workflow view\nR gh search\nR gh status\nR gh label list\n\
R glab mr view\nR glab mr list\nR glab issue list\nR glab issue view\nR glab ci view\n\
R systemctl status\nR systemctl is-active\nR systemctl is-enabled\nR systemctl list-units\nR systemctl cat\n\
R systemctl show\nR brew list\nR brew info\nR brew search\nR brew outdated\nR brew deps\nR brew doctor\nR brew config\n\
R apt list\nR apt show\nR apt search\nR apt-cache\nR apt policy\nR dpkg -l\nR dpkg -L\nR dpkg -s\nR rpm -q\nR rpm -qa\n\
R rustup show\nR rustup toolchain list\nR rustup doc\nR pip list\nR pip show\nR pip freeze\nR pip check\nR pip index\n\
R poetry show\nR poetry env info\nR uv tree\nR uv pip list\nR conda list\nR conda info\nR conda env list\n\
R bundle list\nR bundle outdated\nR gem list\nR composer show\nR composer outdated\nR mix deps\n\
R aws sts get-caller-identity\nR aws s3 ls\nR aws configure list\nR gcloud config list\nR gcloud auth list\n\
R az account show\nR heroku logs\nR heroku apps\nR heroku ps\nR fly status\nR fly logs\nR vercel ls\nR vercel logs\n\
R redis-cli get\nR redis-cli ttl\nR redis-cli info\nR redis-cli ping\nR redis-cli exists\nR redis-cli type\n\
R crontab -l :-l\nR ip addr\nR ip route :\nR ip a\nR ip link :\nR tar -t\nR tar -tf\nR tar -tzf\nR tar tf\nR tar tzf\n\
R tar -tvf\nR unzip -l\nR unzip -v\nR zipinfo\nR openssl version\nR openssl x509 -text\nR code --list-extensions\n\
R prettier --check\nR eslint !--fix\nR black --check\nR black --diff\nR ruff check !--fix\nR ruff format --check\n\
R isort --check\nR rustfmt --check\nR gofmt -l :-l\nR tsc --noEmit\nR nix flake show\nR nix flake metadata\n\
R alembic current\nR alembic history\nR alembic heads\nR alembic check\nR prisma validate\nR prisma format\n\
R python manage.py showmigrations\nR rails routes\nR plantune report\nR plantune explain\nR plantune doctor\n";

/// Programs whose arguments are targets or scripts, and what comes before those.
pub(super) const RUNNERS: [&[&str]; 23] = [
    &["make"],
    &["gmake"],
    &["just"],
    &["task"],
    &["rake"],
    &["mage"],
    &["invoke"],
    &["gradle"],
    &["gradlew"],
    &["mvn"],
    &["mvnw"],
    &["npm", "run"],
    &["npm", "run-script"],
    &["pnpm", "run"],
    &["yarn", "run"],
    &["bun", "run"],
    &["composer", "run"],
    &["deno", "task"],
    &["turbo", "run"],
    &["nx", "run"],
    &["pnpm"],
    &["yarn"],
    &["bun"],
];

/// Parts of the names of targets that only build, test, format, lint or show.
pub(super) const TARGETS: &str = " test tests testing unit integration e2e smoke spec lint linter check checks build rebuild \
    compile bundle assemble all default fmt format formatting style typecheck type types tsc clippy vet bench \
    benchmark benchmarks perf coverage cov doc docs help demo example examples dev start watch serve storybook \
    preview verify validate audit quick fast slow full ci debug fix js css html ts api web ui app client \
    server core lib library backend frontend unittest unittests pytest jest vitest mypy ruff eslint prettier \
    stylelint snapshot snapshots fuzz clean install deps dependencies setup ready prepare generate gen codegen \
    proto info version status list tasks classes jar testclasses ktlintcheck spotlesscheck spotlessapply detekt \
    dependencytree all-tests only changed affected local parallel race short verbose report stats size analyze \
    ";

/// Other names by which programs go.
pub(super) const ALIASES: [(&str, &str); 8] = [
    ("python3", "python"),
    ("python2", "python"),
    ("py", "python"),
    ("pip3", "pip"),
    ("podman", "docker"),
    ("tofu", "terraform"),
    ("k", "kubectl"),
    ("nodejs", "node"),
];

/// Programs that have an effect, known by name so that a line in prose is recognised as one.
const EFFECTS: &str = " rm rmdir dd mkfs fdisk parted shred truncate mv cp ln chmod chown chgrp kill killall pkill \
    sudo doas su curl wget ssh scp sftp rsync nc ncat telnet ftp tee mount umount reboot shutdown halt poweroff \
    systemctl service crontab iptables ufw nft psql mysql mariadb sqlite3 duckdb mongo mongosh redis-cli \
    pg_dump pg_restore dropdb createdb mysqldump docker docker-compose podman kubectl helm terraform tofu pulumi \
    ansible ansible-playbook vagrant aws gcloud az heroku fly flyctl vercel netlify wrangler firebase supabase \
    doctl git gh glab hub cargo npm npx pnpm yarn bun deno pip pipx poetry uv twine gem bundle go composer mvn \
    gradle gradlew sbt lein mix dotnet nuget brew apt apt-get dnf yum pacman apk snap choco winget npm make \
    just rake tar unzip gpg openssl ssh-keygen ssh-add passwd useradd userdel usermod visudo node python \
    python3 perl ruby php bash sh zsh eval source find sed awk xargs patch sqlcmd alembic prisma flyway \
    liquibase rails knex sequelize stripe twilio mail sendmail mutt pscp defaults diskutil launchctl \
    codesign xcrun fastlane eas expo lerna changeset semantic-release goreleaser vault op sops osascript \
    setx reg powershell pwsh del format cmd eslint prettier tsc pytest ruff mypy black jest vitest env nohup ";

/// True for the name of a program that is known here.
pub(crate) fn is_program(name: &str) -> bool {
    let stands_in = |table: &str, bar: &str| {
        table.match_indices(name).any(|(at, _)| {
            let (before, after) = (table.get(..at), table.get(at + name.len()..));
            before.is_some_and(|before| before.is_empty() || before.ends_with(bar))
                && after.is_some_and(|after| after.starts_with([' ', '\n']))
        })
    };
    !name.is_empty()
        && (stands_in(EFFECTS, " ") || stands_in(SHOWING, "\n") || stands_in(LOCAL, "\n"))
}
