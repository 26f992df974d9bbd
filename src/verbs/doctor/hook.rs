//! Whether the hook binary is there, starts, keeps quiet, decides, costs little, and is of this release.

use std::cmp::Ordering;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{io, thread};

use super::registration::Settings;
use super::{Findings, Seen, word};
use crate::claude_settings;
use crate::claude_settings::{HOOK, beside_us};
use crate::installed_hook::probe::{Home, LIMIT, words};
use crate::installed_hook::{CURRENT, InstalledHook, Release, has_same_bytes, probe};
use crate::platform::{in_path, is_executable};

/// How to get a hook that works.
const AGAIN: &str = "install plantune again, then run `plantune doctor --fix`";

/// One hook binary and how it was found.
#[derive(Debug)]
pub(super) struct FoundHook {
    pub(super) path: PathBuf,
    places: Vec<&'static str>,
    /// False for what only a project's settings name: an unknown repository must not get its
    /// program started by looking at it.
    pub(super) may_start: bool,
}

impl FoundHook {
    /// True when Claude Code calls it.
    pub(super) fn is_called(&self) -> bool {
        self.places.contains(&REGISTERED) || self.places.contains(&BY_PLUGIN)
    }
}

const REGISTERED: &str = "registered";

/// A plugin that carries no hook starts plantune's copy where there is one.
const BY_PLUGIN: &str = "called by the plugin";

/// What a plugin carries is of the plugin's version, which is judged with its registration.
const IN_PLUGIN: &str = "in the plugin";

/// Checks every hook binary that can be found, and measures one that works: the registered one, if it does.
pub(super) fn check_hook(seen: &Seen<'_>, found: &mut Findings) {
    let installed = InstalledHook::of(&seen.workspace.paths);
    let hooks = find(&seen.settings, &installed);
    if hooks.is_empty() {
        let message = format!("there is no {HOOK} beside plantune, nor in your PATH");
        found.failed("hook_binary", message).remedy(AGAIN);
    }
    let working: Vec<&FoundHook> = hooks.iter().filter(|hook| works(hook, found)).collect();
    // What only a project names is not ours to judge: it need not be a hook.
    let called = hooks
        .iter()
        .filter(|hook| hook.is_called() && hook.may_start);
    check_releases(&installed, called.map(|hook| &hook.path), found);
    if let Some(first) = working.first() {
        check_latency(&first.path, found);
    }
}

/// The binaries that there are, the registered ones first, each once.
fn find(settings: &Settings, installed: &InstalledHook) -> Vec<FoundHook> {
    let mut found: Vec<FoundHook> = Vec::new();
    let mut add = |path: PathBuf, place, may_start| {
        if !path.is_file() {
            return;
        }
        // A copy is the same hook: what one does, the other does.
        let same = |known: &&mut FoundHook| has_same_bytes(&known.path, &path);
        match found.iter_mut().find(same) {
            Some(known) => {
                known.may_start |= may_start;
                if !known.places.contains(&place) {
                    known.places.push(place);
                }
            }
            None => found.push(FoundHook {
                path,
                places: vec![place],
                may_start,
            }),
        }
    };
    for (path, from_user) in settings.programs() {
        add(path, REGISTERED, from_user);
    }
    for plugin in settings.plugins() {
        match &plugin.hook {
            Some(carried) => add(carried.clone(), IN_PLUGIN, true),
            None => add(installed.path(), BY_PLUGIN, true),
        }
    }
    for path in beside_us().unwrap_or_default() {
        add(path, "beside plantune", true);
    }
    if let Some(path) = in_path(HOOK) {
        add(path, "in PATH", true);
    }
    found
}

/// Whether one binary works, with the findings about it.
fn works(hook: &FoundHook, found: &mut Findings) -> bool {
    let shown = hook.path.display();
    let name = format!("{shown} ({})", hook.places.join(", "));
    if !is_executable(&hook.path) {
        found
            .failed("hook_binary", format!("{name} may not be run"))
            .remedy(format!("run `chmod 755 {}`", word(&hook.path)));
        return false;
    }
    if !hook.may_start {
        let fact = "only this project's settings name it, so it is not tried";
        found.note("hook_binary", format!("{name}: {fact}"));
        return false;
    }
    found.ok("hook_binary", name);
    let home = match Home::new(0) {
        Ok(home) => home,
        Err(error) => {
            found
                .warning(
                    "hook_alive",
                    format!("no temporary folder to try it in: {error}"),
                )
                .remedy("set TMPDIR to a folder that you may write");
            return false;
        }
    };
    if let Err(fact) = probe::alive(&hook.path, &home) {
        found
            .failed("hook_alive", format!("{shown} {fact}"))
            .remedy(AGAIN);
        return false;
    }
    found.ok(
        "hook_alive",
        "starts, and is silent where it has nothing to say",
    );
    let fact = match probe::run(&mut home.command(&hook.path), &home.planted_call(), LIMIT) {
        Ok(ended) if ended.status.success() && probe::is_planted_answer(&ended.stdout) => {
            found.ok("hook_decides", "answers a question by a preference");
            return true;
        }
        Ok(_) => "does not answer a question as a preference says".to_owned(),
        Err(trouble) => words(&trouble),
    };
    let remedy = format!("it is of another version than this plantune, or broken: {AGAIN}");
    found
        .failed("hook_decides", format!("{shown} {fact}"))
        .remedy(remedy);
    false
}

// What the hook costs a question on this machine: its whole run beside that of `/bin/true`.

const NAME: &str = "latency";

/// How often each of the two is started. A build without optimization, which tests start, measures nothing of interest.
const ROUNDS: usize = if cfg!(debug_assertions) { 4 } else { 40 };

/// How many preferences there are to search.
const PREFERENCES: usize = 2000;

/// A file that was changed just now has no index.
const SETTLED: Duration = Duration::from_millis(150);

/// How many times as long as `/bin/true` the hook may take.
const BUDGET: f64 = 1.6;

/// Measures `hook`, which is known to work, in a home of its own.
fn check_latency(hook: &Path, found: &mut Findings) {
    let why = match measure(hook) {
        Ok(Some([nothing, ours])) => return judge_latency(nothing, ours, found),
        Ok(None) => "there is no `true` to compare with".to_owned(),
        Err(error) => error.to_string(),
    };
    found.note(NAME, format!("not measured: {why}"));
}

/// The medians of `true` and of the hook, started by turns.
fn measure(hook: &Path) -> io::Result<Option<[Duration; 2]>> {
    let usual = Path::new("/bin/true");
    let Some(nothing) = usual
        .exists()
        .then(|| usual.to_owned())
        .or_else(|| in_path("true"))
    else {
        return Ok(None);
    };
    let home = Home::new(PREFERENCES)?;
    thread::sleep(SETTLED);
    let mut times = [Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS)];
    for round in 0..ROUNDS {
        let call = home.ordinary_call(round);
        for (program, times) in [&*nothing, hook].into_iter().zip(&mut times) {
            times.push(time(program, &home, &call)?);
        }
    }
    Ok(Some(times.map(median)))
}

fn time(program: &Path, home: &Home, call: &[u8]) -> io::Result<Duration> {
    let mut command = home.command(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // `true` may be gone before it is written to.
        let _ = stdin.write_all(call);
    }
    child.wait_with_output()?;
    Ok(start.elapsed())
}

/// The middle one of `times`, of an even number the later one; zero of none.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn judge_latency(nothing: Duration, ours: Duration, found: &mut Findings) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let ratio = ours.as_secs_f64() / nothing.as_secs_f64().max(f64::MIN_POSITIVE);
    let message = format!(
        "the hook takes {:.2} ms, `true` {:.2} ms (medians of {ROUNDS}): {ratio:.2} times as long",
        milliseconds(ours),
        milliseconds(nothing)
    );
    if ratio <= BUDGET {
        return found.ok(NAME, message);
    }
    let expected = format!("up to {BUDGET} is expected; try again when the machine is idle");
    found
        .warning(NAME, message)
        .remedy(expected)
        .remedy("a hook built without `make install` is slower");
}

// Whether the registered hook is the one of this plantune, and lies where it stays.

const RELEASE: &str = "hook_release";
const PLACE: &str = "hook_place";

const FIX: &str = "run `plantune doctor --fix`";

/// Folders of package managers that are emptied or replaced without a word.
const PASSING: [&str; 4] = ["_npx", "node_modules", "dlx", ".bun"];

/// The findings about the hooks that Claude Code calls (`called`), none without one: their releases, and their places.
fn check_releases<'h>(
    installed: &InstalledHook,
    called: impl Iterator<Item = &'h PathBuf>,
    found: &mut Findings,
) {
    let ours = claude_settings::ours().ok();
    for hook in called {
        let is_installed = installed.link().as_ref() == Some(hook);
        let is_ours = || {
            let same = |ours: &Path| installed.is_copy_of(ours);
            !is_installed || ours.as_deref().is_none_or(same)
        };
        judge_release(hook, &Release::of(hook), is_ours, found);
        if !is_installed {
            place(hook, found);
        }
    }
}

/// The finding about a hook of this `release`; `is_ours` says whether it is the one beside this plantune to the
/// byte, as far as it ought to be.
fn judge_release(
    path: &Path,
    release: &Release,
    is_ours: impl FnOnce() -> bool,
    found: &mut Findings,
) {
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
    use super::*;
    use crate::verbs::doctor::Status;
    use std::fs;

    #[test]
    fn what_only_a_project_names_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let mut hook = FoundHook {
            path: "/bin/sh".into(),
            places: vec![REGISTERED],
            may_start: false,
        };
        let mut found = Findings::default();
        assert!(
            !works(&hook, &mut found) && found.checks.len() == 1,
            "{found:?}"
        );
        hook.path = folder.path().join("plantune-hook");
        fs::File::create(&hook.path).unwrap();
        works(&hook, &mut found);
        let remedy = found.checks[1].remedy.as_deref();
        assert!(remedy.unwrap().contains("chmod 755"));
    }

    #[test]
    fn medians_and_budget() {
        let micros = Duration::from_micros;
        assert_eq!(median(vec![micros(9), micros(1), micros(5)]), micros(5));
        assert_eq!(median(Vec::new()), Duration::ZERO);
        let judged = |nothing, ours| {
            let mut found = Findings::default();
            judge_latency(nothing, ours, &mut found);
            let one = found.checks.remove(0);
            (one.status, one.message)
        };
        let (status, message) = judged(micros(1000), micros(1600));
        assert_eq!(status, Status::Ok);
        assert!(message.contains("1.60 ms") && message.contains("1.60 times"));
        assert_eq!(judged(micros(1000), micros(1700)).0, Status::Warning);
        assert_eq!(judged(Duration::ZERO, micros(1)).0, Status::Warning);
    }

    #[test]
    fn another_release_is_named() {
        let judged = |release, is_ours: bool, found: &mut Findings| {
            judge_release(Path::new("/h"), &release, || is_ours, found);
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
        let text = super::super::text(&found).replace(CURRENT, "CURRENT");
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
