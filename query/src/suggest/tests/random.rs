//! What holds for any answers.

use super::*;

proptest! {
    #[test]
    fn one_more_agreeing_answer_never_lowers_the_bound(answers in "[ropRnt]{3,30}", extra in 1_usize..5) {
        // The new answers are the latest; ages are counted from a fixed moment.
        let settings = Suggest::default();
        let reference = now().naive_utc();
        let all = key("a", &format!("{answers}{}", "r".repeat(extra)));
        let mut before = all.clone();
        before.answers.truncate(answers.len());
        let bound = |key: &KeyEvidence, policy: &AnswerPolicy| {
            let verdicts = policy::Answers::of(&key.answers).verdicts(policy);
            let weighed = spread::weigh(&spread::Sittings::of(&key.answers), &verdicts, reference, settings.half_life_days, 0.5);
            let tally = weighed.tally(Within::default().correlation());
            posterior::Agreement::UNIFORM.after(tally).lower_bound(settings.credibility)
        };
        for policy in [AnswerPolicy::Follow, AnswerPolicy::Pin("Create it".to_owned())] {
            prop_assert!(bound(&all, &policy) >= bound(&before, &policy) - 1e-9);
        }
    }

    #[test]
    fn the_order_of_what_was_read_does_not_matter(
        one in "[ropRnt]{3,25}",
        other in "r{10,30}",
        seed in any::<u64>(),
    ) {
        let mut keys = vec![key("a", &one), key("b", &other), key("c", &one)];
        let straight = judged(&keys);
        let mut state = seed;
        let mut shuffle = |_: &HumanAnswer| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state
        };
        for key in &mut keys {
            key.answers.sort_by_cached_key(&mut shuffle);
        }
        keys.rotate_left(1);
        prop_assert_eq!(straight, judged(&keys));
    }

    #[test]
    fn nothing_is_proposed_below_its_guards(answers in "[ropRnt]{3,40}") {
        let settings = Suggest::default();
        for found in judged(&[key("a", &answers), key("b", "rrrrrrrrrrrrrrrr")]).suggestions {
            if found.level < Level::Standing {
                continue;
            }
            prop_assert!(found.confidence >= settings.min_agreement);
            prop_assert!(found.evidence.agreed >= 5 && found.evidence.answers >= 8);
        }
    }
}
