//! The coverage status of an action or a branch: what its counts mean.

use omnilink_check::coverage::{ActionCoverage, BranchCoverage, Coverage};

use super::model::Campaign;
use crate::alike::cause::Cause;

/// The coverage status of an action, or of a branch of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageStatus {
    /// The orders found contain steps of it.
    Taken,
    /// It was called, no order contains it, and rejected runs failed at it.
    AlwaysFailing,
    /// It was called, or its action was taken, and no order contains a step of it.
    NeverTaken,
    /// It is a branch that was disabled whenever its action was taken.
    NeverEnabled,
    /// No run called it; for a branch: its action was never taken.
    NeverTried,
    /// Unknown, because no order was found.
    NoOrder,
}

impl CoverageStatus {
    /// The status of an action in a campaign.
    pub fn of_action(action: &ActionCoverage, coverage: &Coverage, campaign: &Campaign) -> Self {
        match action {
            _ if action.taken > 0 => Self::Taken,
            _ if action.recorded == 0 => Self::NeverTried,
            _ if fails(campaign, &action.name) => Self::AlwaysFailing,
            _ if coverage.orders == 0 => Self::NoOrder,
            _ => Self::NeverTaken,
        }
    }

    /// The status of a branch.
    pub fn of_branch(branch: &BranchCoverage, action: &ActionCoverage) -> Self {
        match branch {
            _ if action.taken == 0 => Self::NeverTried,
            _ if branch.taken > 0 => Self::Taken,
            _ if branch.enabled > 0 => Self::NeverTaken,
            _ => Self::NeverEnabled,
        }
    }

    /// The name of the status.
    pub fn words(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::AlwaysFailing => "always failing",
            Self::NeverTaken => "never taken",
            Self::NeverEnabled => "never enabled",
            Self::NeverTried => "never recorded",
            Self::NoOrder => "no order found",
        }
    }

    /// The name of the status of a branch.
    pub fn words_of_branch(self) -> &'static str {
        if self == Self::NeverTried { "not tried" } else { self.words() }
    }

    /// The CSS class: `good`, `doubtful`, `bad` or `faint`.
    pub fn class(self) -> &'static str {
        match self {
            Self::Taken => "good",
            Self::AlwaysFailing => "bad",
            Self::NeverTaken | Self::NeverEnabled => "doubtful",
            Self::NeverTried | Self::NoOrder => "faint",
        }
    }
}

/// The definitions of the statuses, for a report.
pub const MEANING: &str = "Recorded are the calls in all runs that were checked. Taken are the steps in the orders \
    that the checks found, so only accepted runs count. An action is always failing if runs called it and were rejected at \
    it, and no order has it. A branch (a disjunct, IF, CASE, or one of several disjuncts of Next) is tried whenever its \
    action is taken; it is never enabled if it was false every time, for these arguments in these states. What other \
    arguments would do is not known.";

/// The numbers of actions and branches, and of those that were taken.
pub fn tally(coverage: &Coverage) -> [(u64, u64); 2] {
    let count = |taken: &mut dyn Iterator<Item = bool>| {
        taken.fold((0, 0), |(taken, all), is_taken| (taken + u64::from(is_taken), all + 1))
    };
    let branches = coverage.actions.iter().flat_map(|action| &action.branches);
    [
        count(&mut coverage.actions.iter().map(|action| action.taken > 0)),
        count(&mut branches.map(|branch| branch.taken > 0)),
    ]
}

/// Whether runs were rejected at an action.
fn fails(campaign: &Campaign, action: &str) -> bool {
    campaign.failures.iter().any(|failure| match &failure.cause {
        Cause::Rejected { failing: Some(failing), .. } => {
            [Some(action), action.strip_suffix("_Done")].contains(&Some(failing.action.as_str()))
        }
        _ => false,
    })
}
