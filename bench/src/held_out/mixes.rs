//! The mixes of questions that people have: their kinds, and how many of each.

/// The right outcome for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deserves {
    Yes,
    No,
    Either,
}

/// How a person answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    HabitRecommended,
    HabitOverride,
    FollowMoving,
    PinMoving,
    /// Options come and go, the habit's stays.
    OptionsMoving,
    /// Never anything else.
    Tidy,
    /// Yes or no, in one template.
    YesNo,
    Coin,
    Lean,
    FreeText,
    Noted,
    Rare,
    Burst,
    OneWay,
    Drift,
    TimeoutHeavy,
    /// Four options, now this, now that.
    NextStep,
    /// Yes or no to something else each time, mostly yes.
    Assorted,
    /// One answer all through a session, and mostly the same in the next.
    Moody,
    /// The same label each time, often typed with something added.
    Adds,
    /// One answer in each project, not the same in all.
    PerProject,
}

use Kind::*;

/// A mix: its name, the kinds with how many of each, how many of ten are marked, and the mean number
/// of askings.
pub(crate) struct Mix {
    pub(crate) name: &'static str,
    pub(crate) kinds: &'static [(Kind, usize)],
    pub(crate) marked_in_ten: usize,
    pub(crate) askings: f64,
    pub(crate) projects: usize,
    /// Asked several times in one sitting, about something else each time.
    pub(crate) in_sittings: bool,
}

/// A mix for one project.
const ONE: Mix = Mix {
    name: "",
    kinds: &[],
    marked_in_ten: 7,
    askings: 30.0,
    projects: 1,
    in_sittings: false,
};

pub(crate) const MIXES: &[Mix] = &[
    Mix {
        name: "everything",
        kinds: &[
            (HabitRecommended, 4),
            (HabitOverride, 4),
            (FollowMoving, 4),
            (PinMoving, 4),
            (Coin, 4),
            (Lean, 4),
            (Drift, 4),
            (OneWay, 4),
            (FreeText, 4),
            (Rare, 4),
            (Burst, 4),
            (Noted, 4),
            (TimeoutHeavy, 4),
        ],
        marked_in_ten: 7,
        askings: 30.0,
        ..ONE
    },
    Mix {
        name: "unmarked",
        kinds: &[
            (HabitRecommended, 3),
            (HabitOverride, 2),
            (FollowMoving, 2),
            (PinMoving, 2),
            (OptionsMoving, 3),
            (YesNo, 3),
            (Coin, 3),
            (Lean, 3),
            (Drift, 2),
            (OneWay, 2),
            (FreeText, 2),
            (NextStep, 3),
            (Assorted, 2),
            (Rare, 6),
        ],
        marked_in_ten: 0,
        askings: 30.0,
        ..ONE
    },
    Mix {
        name: "tidy",
        kinds: &[
            (Tidy, 12),
            (HabitRecommended, 8),
            (Lean, 3),
            (Coin, 1),
            (Rare, 3),
            (Burst, 2),
        ],
        marked_in_ten: 7,
        askings: 25.0,
        ..ONE
    },
    Mix {
        name: "undecided",
        kinds: &[
            (Coin, 12),
            (Lean, 12),
            (NextStep, 4),
            (FreeText, 4),
            (HabitRecommended, 2),
            (PinMoving, 2),
            (Burst, 2),
            (Noted, 3),
        ],
        marked_in_ten: 5,
        askings: 35.0,
        ..ONE
    },
    Mix {
        name: "follower",
        kinds: &[
            (FollowMoving, 10),
            (HabitRecommended, 6),
            (Lean, 3),
            (Coin, 2),
            (Drift, 2),
            (OneWay, 3),
        ],
        marked_in_ten: 6,
        askings: 25.0,
        ..ONE
    },
    Mix {
        name: "seldom asked",
        kinds: &[
            (HabitRecommended, 4),
            (HabitOverride, 4),
            (PinMoving, 4),
            (FollowMoving, 4),
            (Lean, 4),
            (Coin, 4),
            (Rare, 8),
            (Drift, 3),
        ],
        marked_in_ten: 7,
        askings: 15.0,
        ..ONE
    },
    Mix {
        name: "sittings",
        kinds: &[
            (HabitRecommended, 4),
            (HabitOverride, 3),
            (Tidy, 3),
            (YesNo, 2),
            (Coin, 3),
            (Lean, 3),
            (Moody, 4),
            (Burst, 3),
            (Adds, 3),
        ],
        in_sittings: true,
        ..ONE
    },
];

/// People who are asked the same every day, for how long a trial takes.
pub(crate) const OFTEN: &[Mix] = &[Mix {
    name: "asked often",
    kinds: &[
        (HabitRecommended, 3),
        (Tidy, 2),
        (Lean, 5),
        (Coin, 3),
        (Moody, 2),
    ],
    askings: 120.0,
    ..ONE
}];

/// People with several projects, to measure pooling.
pub(crate) const POOLED: &[Mix] = &[
    Mix {
        name: "six projects, alike",
        kinds: &[
            (HabitRecommended, 5),
            (HabitOverride, 4),
            (Tidy, 3),
            (FollowMoving, 3),
            (PinMoving, 2),
            (PerProject, 2),
            (Lean, 4),
            (Coin, 4),
        ],
        projects: 6,
        ..ONE
    },
    Mix {
        name: "six projects, half differ",
        kinds: &[
            (HabitRecommended, 3),
            (HabitOverride, 2),
            (Tidy, 2),
            (PerProject, 7),
            (Lean, 4),
            (Coin, 4),
        ],
        projects: 6,
        ..ONE
    },
    Mix {
        name: "two projects",
        kinds: &[
            (HabitRecommended, 4),
            (HabitOverride, 4),
            (Tidy, 3),
            (PerProject, 3),
            (Lean, 4),
            (Coin, 4),
        ],
        projects: 2,
        ..ONE
    },
];
