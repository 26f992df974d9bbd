//! What a preference would save, and what its mistakes would cost.

use statrs::statistics::{Data, OrderStatistics as _};

/// What answering for the person is worth, in seconds of their time a week.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Benefit {
    /// The time the person would not spend on the question: askings a week × the median answer's
    /// seconds.
    pub(super) saved: f64,
    /// The time wrong answers would cost: askings a week × (1 − expected agreement) × the seconds
    /// one wrong answer costs.
    pub(super) lost: f64,
}

impl Benefit {
    /// The benefit for a key that is asked so often `a_week`.
    ///
    /// Every asking is saved, also the one answered wrongly: the person pays for that one in
    /// `lost`, by noticing and undoing. Expected utility with a linear cost, as in Horvitz,
    /// "Principles of mixed-initiative user interfaces" (CHI 1999): act when the expected gain of
    /// acting exceeds that of asking.
    pub(super) fn of(
        a_week: f64,
        median_seconds: f64,
        expected_agreement: f64,
        wrong_answer_seconds: f64,
    ) -> Self {
        Self {
            saved: a_week * median_seconds,
            lost: a_week * (1.0 - expected_agreement) * wrong_answer_seconds,
        }
    }

    /// True when more is saved than lost.
    pub(super) fn is_positive(self) -> bool {
        self.saved > self.lost
    }
}

/// The median of `values`, the mean of the two middle ones for an even number; `None` of nothing.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|value| value.is_finite());
    (!values.is_empty()).then(|| Data::new(values).median())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_and_lost_by_hand() {
        // Twice a week; 30 s each; one in twenty wrong at 120 s.
        let benefit = Benefit::of(2.0, 30.0, 0.95, 120.0);
        assert!((benefit.saved - 60.0).abs() < 1e-9);
        assert!((benefit.lost - 12.0).abs() < 1e-9);
        assert!(benefit.is_positive());
        assert!(!Benefit::of(2.0, 5.0, 0.95, 120.0).is_positive());
        assert!(!Benefit::of(0.0, 30.0, 1.0, 120.0).is_positive());
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, f64::NAN, 1.0]), Some(2.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
    }
}
