//! What each level would have got right in the answers that a suggestion rests on.

use chrono::TimeDelta;

use super::inputs::Inputs;
use crate::backtest::asking::Asking;
use crate::backtest::replay::Replay;
use crate::backtest::score::ByLevel;
use crate::evidence::KeyEvidence;
use crate::families::EVERYWHERE;

/// What each level would have got right in the answers of `key`, had the person accepted every proposal
/// that these alone allow.
pub(super) fn replay_of(key: &KeyEvidence, inputs: &Inputs<'_>) -> ByLevel {
    let mut replay = Replay::new(inputs.settings, inputs.registry, None);
    for answer in &key.answers {
        let took = answer.human_seconds.unwrap_or_default().max(0.001);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "milliseconds of one answer"
        )]
        let took = TimeDelta::milliseconds((took * 1000.0) as i64);
        replay.take(Asking {
            project: match key.project == EVERYWHERE {
                true => answer.project.to_string(),
                false => key.project.clone(),
            },
            key_source: match key.template {
                Some(_) => "fingerprint".to_owned(),
                None => key.key_source.clone(),
            },
            call: format!("{} {}", answer.session_id, answer.at),
            answered_at: Some(answer.at + took),
            answer: answer.clone(),
        });
    }
    replay.finish().by_level
}
