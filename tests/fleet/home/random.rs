//! Logs in which anything may have happened, the same in every run.

use plantune_domain::event::{Event, Kind};

use super::event;

/// Numbers that look random, and are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    pub(crate) fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// A log of `calls` calls of which anything may have become, in any order.
pub(crate) fn random_log(random: &mut Random, calls: u64) -> Vec<Event<'static>> {
    let mut events = Vec::new();
    for call in 0..calls {
        let name = format!("toolu_{call}");
        let count = 1 + random.below(2) as u32;
        let start: chrono::DateTime<chrono::Utc> = "2026-10-26T00:00:00Z".parse().unwrap();
        let start = start + chrono::Duration::milliseconds(random.below(26 * 86_400_000) as i64);
        let session = format!("s{}", random.below(calls / 2));
        let (kind_of_session, key) = (
            random.of(&["interactive", "headless", "spawned"]),
            random.below(9),
        );
        for index in 0..count {
            let mut add = |kind: Kind, random: &mut Random| {
                let at = start + chrono::Duration::milliseconds(random.below(90_000) as i64);
                let mut event = event(kind, &name, index, &plantune_domain::clock::timestamp(at));
                event.session_id = session.clone().into();
                event.session_kind = kind_of_session.into();
                event.question_count = Some(count);
                event.project = random.of(&["a", "b"]).into();
                event.question_key = Some(format!("key-{key}").into());
                event.source = random.of(&["hook", "import:claude-code"]).into();
                match kind {
                    Kind::Asked => {
                        event.reason = (random.below(9) == 0).then(|| "not_printed".into());
                    }
                    Kind::Answered | Kind::AutoDecided => {
                        event.answer =
                            Some(vec![random.of(&["Yes", "No", "Yes (Recommended)"]).into()]);
                        event.followed_recommendation = Some(Some(random.below(2) == 0));
                        event.was_auto_decided = Some(random.below(3) == 0);
                    }
                    Kind::Failed => {
                        event.error_kind = Some(random.of(&["validation", "tool_error"]).into());
                    }
                    _ => {}
                }
                events.push(event);
            };
            let all = [
                Kind::Asked,
                Kind::AutoDecided,
                Kind::Answered,
                Kind::Dismissed,
                Kind::Failed,
            ];
            for kind in all {
                let times = [6, 1, 4, 1, 1][all.iter().position(|one| *one == kind).unwrap()];
                if random.below(7) < times {
                    add(kind, random);
                }
            }
        }
    }
    // A session that ended: what has no end in it was left.
    let mut ended = event(Kind::SessionEnded, "none", 0, "2026-11-21T23:00:00Z");
    ended.tool_use_id = None;
    ended.session_id = "s1".into();
    events.push(ended);
    for place in (1..events.len()).rev() {
        events.swap(place, random.below(place as u64 + 1) as usize);
    }
    events
}

/// Prompts for permission of which anything may have become; some at the same moment, some seen by two hooks.
pub(crate) fn random_prompts(random: &mut Random, prompts: u64) -> Vec<Event<'static>> {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-02T00:00:00Z".parse().unwrap();
    let mut events = Vec::new();
    for number in 0..prompts {
        let at = start + chrono::Duration::seconds(random.below(15 * 86_400) as i64);
        let tool = random.of(&["Bash", "Write", "WebFetch"]);
        let digest = format!("{:032x}", random.below(4));
        let session = format!("s{}", random.below(5));
        let prompt = |kind: Kind, id: u64, seconds: i64| {
            let at = at + chrono::Duration::seconds(seconds);
            let mut event = event(kind, "", 0, &plantune_domain::clock::timestamp(at));
            event.id = format!("{id:032x}").into();
            event.tool_use_id = None;
            event.question_index = None;
            event.question_key = None;
            event.session_id = session.clone().into();
            event.tool_name = Some(tool.into());
            event.input_digest = Some(digest.clone().into());
            event
        };
        let asked = prompt(Kind::PermissionAsked, 4 * number, 0);
        if random.below(9) == 0 {
            events.push(prompt(Kind::PermissionAsked, 4 * number + 1, 1));
        }
        let kind = match random.below(3) {
            0 => Kind::PermissionRefused,
            _ => Kind::PermissionGranted,
        };
        let mut decided = prompt(kind, 4 * number + 2, 5);
        decided.asked_id = (random.below(8) > 0).then(|| asked.id.clone());
        decided.waited_seconds =
            (random.below(4) > 0).then(|| Some(random.below(700) as f64 / 7.0));
        decided.ambiguous = (random.below(4) == 0).then_some(true);
        if random.below(6) > 0 {
            events.push(asked);
        }
        if random.below(5) > 0 {
            events.push(decided);
        }
    }
    events
}
