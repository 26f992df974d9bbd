//! Services that are only looked at.

use super::Operands::{Names, Nothing};
use super::{READS, Row};

#[rustfmt::skip]
pub(super) static SERVICES: &[Row] = &[
    Row { filters: "--jq -q", commands: "gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue \
            list, gh issue diff, gh issue checks, gh issue status, gh run view, gh run list, gh run diff, gh run \
            checks, gh run status, gh release view, gh release list, gh release diff, gh release checks, gh \
            release status", flags: "--comments -c --name-only --patch --log --log-failed", numbers: "--limit -L",
        texts: "-R --repo --json --state -s --author --label -l --assignee --branch -b --workflow -w",
        files: "--job", operands: Names, ..READS },
    Row { commands: "gh pr checks", flags: "--watch --required", operands: Names, ..READS },
    Row { commands: "gh repo view", texts: "--json", operands: Names, ..READS },
    Row { commands: "gh workflow list, gh workflow view", operands: Names, ..READS },
    Row { commands: "gh auth status", operands: Nothing, ..READS },
    Row { commands: "docker ps, docker images, docker version, docker info, docker system df", flags: "-a -q -l \
            --all --no-trunc --quiet", numbers: "-n", texts: "--format --filter -f", operands: Names, ..READS },
    Row { commands: "docker logs, docker top, docker port, docker stats", flags: "-t --timestamps --no-stream \
            --details", numbers: "-n --tail", texts: "--since --until", operands: Names, ..READS },
    Row { commands: "docker compose ls, docker image ls, docker container ls, docker volume ls, docker network ls",
        flags: "-a -q", texts: "--format", operands: Nothing, ..READS },
    Row { commands: "docker-compose ps, docker-compose logs", flags: "-t --timestamps --no-color -a",
        texts: "--since", files: "--tail", operands: Names, ..READS },
    Row { commands: "docker compose ps, docker compose logs", flags: "-t --timestamps --no-color --no-log-prefix \
            -a --services", numbers: "--tail", texts: "--since --format", operands: Names, ..READS },
    Row { commands: "kubectl get", flags: "-A -w --all-namespaces --watch --show-labels --no-headers", texts: "-n \
            --namespace -l --selector", choices: &[("-o", "wide yaml json name")], operands: Names, ..READS },
    Row { commands: "kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl \
            cluster-info", flags: "-A --previous -p --all-containers", numbers: "--tail", texts: "-n --namespace \
            -c --container --since -l", operands: Names, ..READS },
    Row { commands: "kubectl rollout status, kubectl rollout history", texts: "-n --namespace", files: "--timeout",
        operands: Names, ..READS },
    Row { commands: "systemctl status, systemctl is-active, systemctl is-enabled, systemctl list-units",
        flags: "--no-pager --user", operands: Names, ..READS },
    Row { commands: "brew list, brew outdated, brew doctor, brew config", operands: Names, ..READS },
    Row { commands: "terraform plan, tofu plan", flags: "-no-color -input -detailed-exitcode -compact-warnings",
        operands: Nothing, ..READS },
];
