//! Services that are only looked at.

use super::Operands::{Names, Nothing};
use super::Options::{Filters, Flags, Numbers, OneOf, Paths, Texts};
use super::{READS, Row};

#[rustfmt::skip]
pub(super) static SERVICES: &[Row] = &[
    Row { commands: "gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue list, \
            gh issue diff, gh issue checks, gh issue status, gh run view, gh run list, gh run diff, gh run checks, \
            gh run status, gh release view, gh release list, gh release diff, gh release checks, gh release status", options: &[
        Flags("--comments -c --name-only --patch --log --log-failed"), Numbers("--limit -L"), Texts("-R --repo \
            --json --state -s --author --label -l --assignee --branch -b --workflow -w"), Paths("--job"),
        Filters("--jq -q")], operands: Names, ..READS },
    Row { commands: "gh pr checks", options: &[Flags("--watch --required")], operands: Names, ..READS },
    Row { commands: "gh repo view", options: &[Texts("--json")], operands: Names, ..READS },
    Row { commands: "gh workflow list, gh workflow view", operands: Names, ..READS },
    Row { commands: "gh auth status", operands: Nothing, ..READS },
    Row { commands: "docker ps, docker images, docker version, docker info, docker system df", options: &[Flags("-a \
            -q -l --all --no-trunc --quiet"), Numbers("-n"), Texts("--format --filter -f")], operands: Names, ..READS },
    Row { commands: "docker logs, docker top, docker port, docker stats", options: &[Flags("-t --timestamps \
            --no-stream --details"), Numbers("-n --tail"), Texts("--since --until")], operands: Names, ..READS },
    Row { commands: "docker compose ls, docker image ls, docker container ls, docker volume ls, docker network ls", options: &[
        Flags("-a -q"), Texts("--format")], operands: Nothing, ..READS },
    Row { commands: "docker-compose ps, docker-compose logs", options: &[Flags("-t --timestamps --no-color -a"),
        Texts("--since"), Paths("--tail")], operands: Names, ..READS },
    Row { commands: "docker compose ps, docker compose logs", options: &[Flags("-t --timestamps --no-color \
            --no-log-prefix -a --services"), Numbers("--tail"), Texts("--since --format")], operands: Names, ..READS },
    Row { commands: "kubectl get", options: &[Flags("-A -w --all-namespaces --watch --show-labels --no-headers"),
        Texts("-n --namespace -l --selector"), OneOf("-o", "wide yaml json name")], operands: Names, ..READS },
    Row { commands: "kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl \
            cluster-info", options: &[Flags("-A --previous -p --all-containers"), Numbers("--tail"), Texts("-n \
            --namespace -c --container --since -l")], operands: Names, ..READS },
    Row { commands: "kubectl rollout status, kubectl rollout history", options: &[Texts("-n --namespace"),
        Paths("--timeout")], operands: Names, ..READS },
    Row { commands: "systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units", options: &[
        Flags("--no-pager --user")], operands: Names, ..READS },
    Row { commands: "brew list, brew outdated, brew doctor, brew config", operands: Names, ..READS },
    Row { commands: "terraform plan, tofu plan", options: &[Flags("-no-color -input -detailed-exitcode \
            -compact-warnings")], operands: Nothing, ..READS },
];
