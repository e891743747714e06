//! The same explanation of a run of a net with its transitions as those who act, for drawings: a firing stands in the
//! column of its transition, and a token is a message from who puts it to who takes it.

use super::{Explanation, Life, Link, Message, Standing, StepReason};
use crate::trail::Trail;

/// With more transitions the columns would be too many.
const MAX_TRANSITIONS: usize = 24;
/// Transitions that only lack something are added, up to so many.
const MAX_IDLE: usize = 4;

impl Explanation {
    /// Told by transitions, if the trail is of a net and they are few enough.
    pub(crate) fn by_transition(&self, trail: &Trail) -> Option<Explanation> {
        if !trail.is_of_net() {
            return None;
        }
        let mut lives: Vec<Life> = Vec::new();
        let mut steps: Vec<StepReason> = Vec::with_capacity(self.steps.len());
        let mut messages: Vec<Message> = Vec::new();
        for (i, (step, reason)) in trail.steps.iter().zip(&self.steps).enumerate() {
            let life = life_of(&mut lives, &step.mover.fires.as_ref()?.name);
            steps.push(StepReason { life, sends: Vec::new(), receives: Vec::new(), ..reason.clone() });
            for cause in reason.causes.iter().filter(|cause| !cause.in_round_before) {
                let Link::Putting(token) = &cause.link else { continue };
                steps[cause.step].sends.push(messages.len());
                steps[i].receives.push(messages.len());
                messages.push(Message {
                    channel: token.clone(),
                    text: token.clone(),
                    sent: cause.step,
                    received: Some(i),
                    received_later: None,
                });
            }
        }
        if lives.len() > MAX_TRANSITIONS {
            return None;
        }
        let standing = self.lacking(&mut lives);
        Some(Explanation { steps, messages, lives, standing })
    }

    /// What each transition lacks at the end.
    fn lacking(&self, lives: &mut Vec<Life>) -> Vec<Standing> {
        let most = lives.len() + MAX_IDLE;
        let mut all: Vec<Standing> = Vec::new();
        for standing in self.standing.iter().filter(|standing| !standing.can_move) {
            for obstacle in &standing.obstacles {
                let Some(name) = &obstacle.fires else { continue };
                if lives.len() >= most && lives.iter().all(|life| life.process != *name) {
                    continue;
                }
                let life = life_of(lives, name);
                all.push(Standing { life, obstacles: vec![obstacle.clone()], ..standing.clone() });
            }
        }
        all
    }
}

fn life_of(lives: &mut Vec<Life>, name: &smol_str::SmolStr) -> usize {
    lives.iter().position(|life| life.process == *name).unwrap_or_else(|| {
        lives.push(Life { process: name.clone(), pid: 0, born: None, died: None, is_net: true });
        lives.len() - 1
    })
}
