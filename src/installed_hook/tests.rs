use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;
use chrono::TimeDelta;
use plantune_domain::release::STATEMENT;

/// A data folder, and a folder plantune was installed to.
struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn installed(&self) -> InstalledHook {
        InstalledHook::of(&Paths::below(self.0.path().join("data")))
    }

    /// A hook that keeps silent, states `statement`, and holds `content` as well.
    fn hook(&self, statement: &str, content: &str) -> PathBuf {
        let path = self.0.path().join("plantune-hook");
        let script = format!("#!/bin/sh\n{content}\nexit 0\n# {statement}\n");
        write_program(&path, script.as_bytes()).unwrap();
        path
    }

    fn copies(&self) -> Vec<String> {
        let copies = self.installed().copies().unwrap().into_iter();
        let folder = |copy: PathBuf| copy.parent().unwrap().file_name().unwrap().to_owned();
        let mut names: Vec<_> = copies
            .map(|copy| folder(copy).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A copy of `version` that the link leads to.
    fn earlier(&self, version: &str) {
        let installed = self.installed();
        let folder = installed.folder.join(version);
        create_private_dir(&folder).unwrap();
        let hook = format!("#!/bin/sh\n# plantune-hook of release {version};\n");
        write_program(&folder.join(HOOK), hook.as_bytes()).unwrap();
        remove_if_there(&installed.path()).unwrap();
        symlink(Path::new(version).join(HOOK), installed.path()).unwrap();
    }
}

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn it_is_copied_once_and_again_when_it_differs() {
    let world = World::new();
    let installed = world.installed();
    let hook = world.hook(STATEMENT, "");
    let copy = || installed.bring_up_to_date(&hook, now()).unwrap();
    assert_eq!(copy(), Copied::First);
    assert_eq!(copy(), Copied::Nothing);
    assert!(installed.is_copy_of(&hook) && installed.link().is_some());
    let mode = fs::metadata(installed.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    // A developer's next build has the same version.
    world.hook(STATEMENT, "true");
    let same = Release::Stated(CURRENT.to_owned());
    assert_eq!(copy(), Copied::Replaced(same.clone()));
    assert_eq!(read(installed.path()), read(hook.clone()));
    // A mode that somebody took away is repaired.
    fs::set_permissions(installed.path(), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(copy(), Copied::Replaced(same));
    // Whatever somebody put in the link's place.
    fs::remove_file(installed.path()).unwrap();
    write_program(&installed.path(), b"#!/bin/sh\n").unwrap();
    assert_eq!(copy(), Copied::Replaced(Release::Unstated));
    assert!(installed.is_copy_of(&hook));
}

#[test]
fn what_is_not_this_release_or_does_not_run_changes_nothing() {
    let world = World::new();
    let installed = world.installed();
    world.earlier("0.0.1");
    let before = read(installed.path());
    for (statement, content, fact) in [
        (
            "plantune-hook of release 99.0.0;",
            "",
            "is of release 99.0.0, and this",
        ),
        ("nothing", "", "does not state"),
        (STATEMENT, "exit 7", "ends with exit status: 7"),
        (STATEMENT, "echo hello", "prints something"),
    ] {
        let hook = world.hook(statement, content);
        let failure = installed.bring_up_to_date(&hook, now()).unwrap_err();
        assert!(failure.message().contains(fact), "{failure}");
        assert!(!failure.hints().is_empty());
        assert_eq!(read(installed.path()), before);
        assert!(!installed.copy().exists() && !installed.copy().with_file_name(NEW).exists());
    }
    let absent = world.0.path().join("absent");
    let failure = installed.bring_up_to_date(&absent, now()).unwrap_err();
    assert!(failure.message().contains("not readable"), "{failure}");
}

#[test]
fn what_a_killed_run_left_is_in_nobodys_way() {
    let world = World::new();
    let installed = world.installed();
    let hook = world.hook(STATEMENT, "");
    installed.make_folders().unwrap();
    write_program(&installed.copy().with_file_name(NEW), b"half a hook").unwrap();
    symlink("nowhere", installed.folder.join(NEW)).unwrap();
    assert_eq!(
        installed.bring_up_to_date(&hook, now()).unwrap(),
        Copied::First
    );
    assert!(installed.is_copy_of(&hook));
    // Killed between the copy and the link: the old one is called until the next run.
    world.earlier("0.0.1");
    assert!(installed.copy().exists() && !installed.is_copy_of(&hook));
    installed.bring_up_to_date(&hook, now()).unwrap();
    assert!(installed.is_copy_of(&hook));
    installed.remove_old(now()).unwrap();
    assert!(!installed.folder.join(NEW).exists());
}

#[test]
fn an_old_copy_stays_for_two_weeks_after_it_was_replaced() {
    let world = World::new();
    let installed = world.installed();
    world.earlier("0.0.1");
    world.earlier("0.0.2");
    let later = now() + TimeDelta::days(300);
    installed
        .bring_up_to_date(&world.hook(STATEMENT, ""), later)
        .unwrap();
    // The one that nothing led to was not replaced just now.
    assert_eq!(installed.remove_old(later).unwrap(), 1);
    assert_eq!(world.copies(), ["0.0.2", CURRENT]);
    let almost = later + TimeDelta::days(14) - TimeDelta::seconds(1);
    assert_eq!(installed.remove_old(almost).unwrap(), 0);
    assert_eq!(
        installed.remove_old(later + TimeDelta::days(14)).unwrap(),
        1
    );
    assert_eq!(world.copies(), [CURRENT]);
    // The one that is called never goes.
    assert_eq!(
        installed.remove_old(later + TimeDelta::days(999)).unwrap(),
        0
    );
    assert!(installed.path().exists());
}

#[test]
fn everything_of_ours_goes_and_nothing_else() {
    let world = World::new();
    let installed = world.installed();
    installed.remove_all().unwrap();
    world.earlier("0.0.1");
    installed
        .bring_up_to_date(&world.hook(STATEMENT, ""), now())
        .unwrap();
    write_program(&installed.folder.join("mine"), b"").unwrap();
    installed.remove_all().unwrap();
    let left: Vec<_> = fs::read_dir(&installed.folder).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    fs::remove_file(installed.folder.join("mine")).unwrap();
    installed.remove_all().unwrap();
    assert!(!installed.folder.exists());
}
