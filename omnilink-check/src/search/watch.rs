//! What a search asks others from time to time: whether to stop, and whether somebody waits for a share of the work.

use std::sync::Arc;

use super::Placed;
use super::control::{Control, Stopped};
use super::depth::{DepthFirst, Ended, Frame};
use super::leap::Postponed;

impl DepthFirst<'_, '_> {
    /// Asks; called for every configuration. Tells whether the search ends.
    pub(super) fn look_up(&mut self) -> Option<Ended> {
        self.progress.open = self.frames.len() as u64;
        let Some(team) = &self.team else {
            if self.pause_at.is_some_and(|pause_at| self.progress.configurations >= pause_at) {
                return Some(Ended::Paused);
            }
            let progress = self.progress;
            return self.ask_control(|control, bytes| control.check(&progress, bytes));
        };
        if !self.progress.configurations.is_multiple_of(Control::PERIOD) && !team.wants_a_share() {
            return None;
        }
        let team = Arc::clone(team);
        if team.wants_a_share() {
            self.give_a_share(&team);
        }
        if team.is_over() {
            return Some(Ended::Elsewhere);
        }
        let visited = self.progress.configurations - self.told;
        if visited < Control::PERIOD {
            return None;
        }
        self.told = self.progress.configurations;
        let total = team.tell(visited, &self.progress);
        self.ask_control(|control, bytes| control.ask(&total, bytes))
    }

    fn ask_control(
        &mut self,
        ask: impl FnOnce(&mut Control<'_>, &dyn Fn() -> usize) -> Result<(), Stopped>,
    ) -> Option<Ended> {
        let (seen, frames, log, postponed) = (&self.seen, &self.frames, &self.log, &self.postponed);
        let bytes = || {
            let path = frames.capacity() * size_of::<Frame>() + log.capacity() * size_of::<Placed>();
            seen.bytes() + path + postponed.iter().map(Postponed::bytes).sum::<usize>()
        };
        ask(self.control, &bytes).err().map(Ended::Stopped)
    }
}
