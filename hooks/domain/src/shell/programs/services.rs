//! Services that are only looked at.

use super::Operands::{Each, Names, Nothing};
use super::Options::{Flags, Numbers, OneOf, Paths, Programs, Texts};
use super::{PROJECT, READS, Row};
use crate::shell::little;

#[rustfmt::skip]
pub(super) static SERVICES: &[Row] = &[
    Row { commands: "gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue list, \
            gh issue status, gh run view, gh run list, gh release view, gh release list, gh search \
            code, gh search repos, gh search issues, gh search prs, gh search commits, gh status, gh label list, gh repo list, gh project list, gh project view, gh ruleset \
            list, gh ruleset view, gh cache list, gh org list, gh gist list, gh codespace list, gh extension list, gh run \
            watch, gh workflow list, gh workflow view", options: &[
        Flags("--comments -c --name-only --patch --log --log-failed --yaml --exclude-drafts"), Numbers("--limit -L"), Texts("-R --repo \
            --json --state -s --author --label -l --assignee --branch -b --workflow --search --owner --org --head --language \
            --sort --order --ref"), Paths("--job"),
        Programs(&("--jq -q", little::is_plain_jq))], operands: Names, ..READS },
    Row { commands: "gh pr checks", options: &[Flags("--watch --required")], operands: Names, ..READS },
    Row { commands: "gh repo view", options: &[Texts("--json")], operands: Names, ..READS },
    Row { commands: "gh api", options: &[Flags("--paginate -i --include --silent --slurp"), OneOf(&("-X --method", "GET get")),
        Programs(&("--jq -q", little::is_plain_jq))], operands: Names, ..READS },
    Row { commands: "gh auth status", operands: Nothing, ..READS },
    Row { commands: "docker ps, docker images, docker version, docker info, docker system df, docker history, docker diff, docker context \
            ls, docker buildx ls, docker network inspect, docker volume inspect", options: &[Flags("-a \
            -q -l --all --no-trunc --quiet"), Numbers("-n"), Texts("--format --filter -f")], operands: Names, ..READS },
    Row { commands: "docker logs, docker top, docker port, docker stats, docker container logs, docker container top", options: &[Flags("-t --timestamps \
            --no-stream --details"), Numbers("-n --tail"), Texts("--since --until")], operands: Names, ..READS },
    Row { commands: "docker compose ls, docker image ls, docker container ls, docker volume ls, docker network ls", options: &[
        Flags("-a -q"), Texts("--format")], operands: Nothing, ..READS },
    Row { commands: "docker-compose ps, docker-compose logs", options: &[Flags("-t --timestamps --no-color -a"),
        Texts("--since"), Paths("--tail")], operands: Names, ..READS },
    Row { commands: "docker compose ps, docker compose logs, docker compose top, docker compose port, docker compose images, docker \
            compose events", options: &[Flags("-t --timestamps --no-color \
            --no-log-prefix -a --services"), Numbers("--tail"), Texts("--since --format")], operands: Names, ..READS },
    Row { commands: "docker compose up, docker compose start, docker compose build", options: &[Flags("-d --detach --build --wait --no-deps --remove-orphans --force-recreate --no-cache")],
        operands: Each(little::is_service), ..PROJECT },
    Row { commands: "kubectl get", options: &[Flags("-A -w --all-namespaces --watch --show-labels --no-headers"),
        Texts("-n --namespace -l --selector"), OneOf(&("-o", "wide yaml json name"))], operands: Names, ..READS },
    Row { commands: "kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl \
            cluster-info", options: &[Flags("-A --previous -p --all-containers"), Numbers("--tail"), Texts("-n \
            --namespace -c --container --since -l")], operands: Names, ..READS },
    Row { commands: "kubectl rollout status, kubectl rollout history", options: &[Texts("-n --namespace"),
        Paths("--timeout")], operands: Names, ..READS },
    Row { commands: "systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units", options: &[
        Flags("--no-pager --user")], operands: Names, ..READS },
    Row { commands: "brew list, brew ls, brew outdated, brew doctor, brew dr, brew config, brew info, brew search, brew deps, \
            brew desc, brew leaves, brew uses, brew missing, brew options, brew tap-info, brew formulae, brew casks, brew \
            log, brew cat, brew commands, brew shellenv, brew analytics state, brew services list, brew -S, brew -v, brew \
            --config, brew --env, brew --taps, brew --cache, brew --cellar, brew --caskroom, brew --prefix, brew \
            --repository, brew --repo", options: &[Flags("-1 -l -r -t -v -s -n -d -p -q -g -D --json --installed --all --analytics \
            --cask --casks --formula --formulae --verbose --quiet --full-name --versions --pinned --multiple \
            --installed-on-request --installed-as-dependency --poured-from-bottle --built-from-source --desc --eval-all \
            --pull-request --open --closed --tree --graph --dot --direct --union --topological --include-build \
            --include-optional --include-test --skip-recommended --missing --annotate --for-each --search --name \
            --description --recursive --greedy --greedy-latest --greedy-auto-updates --fetch-HEAD --list-checks \
            --audit-debug --unbrewed --patch --stat --oneline --include-aliases --hide --HEAD --force-bottle \
            --build-from-source"), Numbers("--max-count -#")], operands: Names, ..READS },
    Row { commands: "terraform plan, tofu plan", options: &[Flags("-no-color -input -detailed-exitcode \
            -compact-warnings")], operands: Nothing, ..READS },
];
