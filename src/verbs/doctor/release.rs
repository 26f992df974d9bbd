//! Whether the registered hook is the one of this plantune, and lies where it stays.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use super::check::Findings;
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
    found: &mut Findings,
) {
    let ours = hook_binary::ours().ok();
    for hook in called {
        let is_installed = installed.link().as_ref() == Some(hook);
        let is_ours = || {
            let same = |ours: &Path| installed.is_copy_of(ours);
            !is_installed || ours.as_deref().is_none_or(same)
        };
        judge(hook, &Release::of(hook), is_ours, found);
        if !is_installed {
            place(hook, found);
        }
    }
}

/// The finding about a hook of this `release`; `is_ours` says whether it is the one beside this plantune to the
/// byte, as far as it ought to be.
fn judge(path: &Path, release: &Release, is_ours: impl FnOnce() -> bool, found: &mut Findings) {
    let path = path.display();
    let order = release.order();
    let fact = match order {
        Some(Ordering::Equal) if is_ours() => {
            return found.ok(RELEASE, format!("{CURRENT}, as this plantune"));
        }
        Some(Ordering::Less) => format!(", older than this plantune ({CURRENT})"),
        Some(Ordering::Greater) => format!(", newer than this plantune ({CURRENT})"),
        Some(Ordering::Equal) => {
            " as well, but of another build than the one beside this plantune".to_owned()
        }
        None => format!(", and this plantune is {CURRENT}"),
    };
    let warning = found.warning(RELEASE, format!("{path} is {release}{fact}"));
    match order {
        Some(Ordering::Greater) => warning
            .remedy("install the newest plantune")
            .remedy(format!("or, to go back to the hook of {CURRENT}, {FIX}")),
        _ => warning.remedy(FIX),
    };
}

/// The finding about a hook that is registered where `install` does not put it.
fn place(path: &Path, found: &mut Findings) {
    let mut parts = path.iter();
    let shown = path.display();
    if parts.any(|part| PASSING.iter().any(|name| part == *name)) {
        let message =
            format!("{shown} lies in a package manager's folder, which may be gone any day");
        found.warning(PLACE, message).remedy(FIX);
        return;
    }
    let message = format!("{shown} is registered, not a copy in plantune's data folder");
    let remedy = format!("for a copy that plantune keeps up to date, {FIX}");
    found.note(PLACE, message).remedy(remedy);
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn another_release_is_named() {
        let judged = |release, is_ours: bool, found: &mut Findings| {
            judge(Path::new("/h"), &release, || is_ours, found);
        };
        let stated = |version: &str| Release::Stated(version.to_owned());
        let mut ours = Findings::default();
        judged(stated(CURRENT), true, &mut ours);
        assert_eq!(ours.checks[0].status, Status::Ok);
        let mut found = Findings::default();
        judged(stated("0.0.9"), true, &mut found);
        judged(stated("99.0.0"), true, &mut found);
        judged(stated(CURRENT), false, &mut found);
        judged(Release::Unstated, true, &mut found);
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
            let mut found = Findings::default();
            place(Path::new(path), &mut found);
            assert_eq!(found.checks[0].status, status, "{path}");
        }
    }
}
