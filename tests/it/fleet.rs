//! `plantune fleet` where it is not built in: what it is not, and how to get it. Where it is: `tests/fleet/`.

use crate::world::World;

#[test]
fn without_it_it_is_said_how_to_get_it() {
    let world = World::at("work");
    for words in [
        &["fleet"][..],
        &["fleet", "report", "--json"],
        &["fleet", "--help"],
    ] {
        let ran = world.run(words);
        let said = ran.text();
        assert_eq!(ran.code, 1, "{said}");
        assert!(
            said.contains("built without the fleet") && said.contains("make fleet-install"),
            "{said}"
        );
    }
    assert!(!world.run(&["--help"]).text().contains("fleet"));
}
