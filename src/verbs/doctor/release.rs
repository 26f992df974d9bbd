//! Whether the registered hook is the one of this plantune, and lies where it stays.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use super::check::Check;
use crate::claude_settings::hook_binary;
use crate::installed_hook::InstalledHook;
use crate::installed_hook::release::{CURRENT, Release};

const RELEASE: &str = "hook_release";
const PLACE: &str = "hook_place";

const FIX: &str = "run `plantune doctor --fix`";

/// Folders of package managers that are emptied or replaced without a word.
const PASSING: [&str; 4] = ["_npx", "node_modules", "dlx", ".bun"];

/// The findings about the hooks that Claude Code calls (`called`), none without one: their releases, and their places.
pub(super) fn check<'h>(
    installed: &InstalledHook,
    called: impl Iterator<Item = &'h PathBuf>,
) -> Vec<Check> {
    let ours = hook_binary::ours().ok();
    let mut checks = Vec::new();
    for hook in called {
        let is_installed = installed.link().as_ref() == Some(hook);
        let is_ours = || {
            let same = |ours: &Path| installed.is_copy_of(ours);
            !is_installed || ours.as_deref().is_none_or(same)
        };
        checks.push(judge(hook, &Release::of(hook), is_ours));
        checks.extend((!is_installed).then(|| place(hook)));
    }
    checks
}

/// The finding about a hook of this `release`; `is_ours` says whether it is the one beside this plantune to the
/// byte, as far as it ought to be.
fn judge(path: &Path, release: &Release, is_ours: impl FnOnce() -> bool) -> Check {
    let path = path.display();
    let fact = match release.order() {
        Some(Ordering::Less) => {
            format!("{path} is {release}, older than this plantune ({CURRENT})")
        }
        Some(Ordering::Greater) => {
            let fact = format!("{path} is {release}, newer than this plantune ({CURRENT})");
            return Check::warning(RELEASE, fact)
                .remedy("install the newest plantune")
                .remedy(format!("or, to go back to the hook of {CURRENT}, {FIX}"));
        }
        Some(Ordering::Equal) if is_ours() => {
            return Check::ok(RELEASE, format!("{CURRENT}, as this plantune"));
        }
        Some(Ordering::Equal) => {
            format!(
                "{path} is {release} as well, but of another build than the one beside this plantune"
            )
        }
        None => format!("{path} is {release}, and this plantune is {CURRENT}"),
    };
    Check::warning(RELEASE, fact).remedy(FIX)
}

/// The finding about a hook that is registered where `install` does not put it.
fn place(path: &Path) -> Check {
    let is_passing = path
        .iter()
        .any(|part| PASSING.iter().any(|name| part == *name));
    let shown = path.display();
    if is_passing {
        let message =
            format!("{shown} lies in a package manager's folder, which may be gone any day");
        return Check::warning(PLACE, message).remedy(FIX);
    }
    let message = format!("{shown} is registered, not a copy in plantune's data folder");
    Check::note(PLACE, message).remedy(format!("for a copy that plantune keeps up to date, {FIX}"))
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn another_release_is_named() {
        let judged = |release, is_ours: bool| judge(Path::new("/h"), &release, || is_ours);
        let stated = |version: &str| Release::Stated(version.to_owned());
        assert_eq!(judged(stated(CURRENT), true).status, Status::Ok);
        let found = [
            judged(stated("0.0.9"), true),
            judged(stated("99.0.0"), true),
            judged(stated(CURRENT), false),
            judged(Release::Unstated, true),
        ];
        let text = super::super::render::text(&found).replace(CURRENT, "CURRENT");
        insta::assert_snapshot!(text, @r"
        warning  hook release: /h is of release 0.0.9, older than this plantune (CURRENT)
                 run `plantune doctor --fix`
        warning  hook release: /h is of release 99.0.0, newer than this plantune (CURRENT)
                 install the newest plantune
                 or, to go back to the hook of CURRENT, run `plantune doctor --fix`
        warning  hook release: /h is of release CURRENT as well, but of another build than the one beside this plantune
                 run `plantune doctor --fix`
        warning  hook release: /h is of a release that it does not state, and this plantune is CURRENT
                 run `plantune doctor --fix`
        ");
    }

    #[test]
    fn a_place_that_does_not_last_is_a_warning() {
        for (path, status) in [
            ("/home/ann/.local/bin/plantune-hook", Status::Note),
            (
                "/home/ann/.npm/_npx/0a1b/node_modules/p/plantune-hook",
                Status::Warning,
            ),
            (
                "/usr/lib/node_modules/plantune/plantune-hook",
                Status::Warning,
            ),
        ] {
            assert_eq!(place(Path::new(path)).status, status, "{path}");
        }
    }
}
