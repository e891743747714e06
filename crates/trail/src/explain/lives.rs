//! Processes from their creation to their end.

use stubborn_ir::{InstanceId, Interpreter, Pid};

use super::Life;

/// The lives so far, and who lives now.
pub(super) struct Lives {
    lives: Vec<Life>,
    /// By life: the last step it took part in.
    last: Vec<Option<usize>>,
    /// Who is alive, and its life.
    alive: Vec<(InstanceId, usize)>,
}

impl Lives {
    /// Those of the initial state.
    pub(super) fn start(interpreter: &Interpreter<'_>, state: &[u8]) -> Self {
        let mut lives = Lives { lives: Vec::new(), last: Vec::new(), alive: Vec::new() };
        lives.note(interpreter, state, None);
        lives
    }

    /// Takes down who is there after a step.
    pub(super) fn note(&mut self, interpreter: &Interpreter<'_>, state: &[u8], step: Option<usize>) {
        let layout = interpreter.layout();
        let Lives { lives, last, alive } = self;
        alive.retain(|&(instance, life)| {
            let lives_on = layout.is_alive(state, instance);
            if !lives_on {
                lives[life].died = step;
            }
            lives_on
        });
        let is_new = |id: InstanceId| alive.iter().all(|&(instance, _)| instance != id);
        let born = layout.instances().filter(|&(id, _)| layout.is_alive(state, id) && is_new(id));
        let mut born: Vec<(Pid, InstanceId)> = born.map(|(id, instance)| (instance.pid, id)).collect();
        born.sort_unstable();
        let is_net = interpreter.model().net.is_some();
        for (pid, instance) in born {
            let process = &interpreter.model().processes[layout.instance(instance).process];
            alive.push((instance, lives.len()));
            last.push(None);
            lives.push(Life { process: process.name.clone(), pid, born: step, died: None, is_net });
        }
    }

    /// The life of a process that exists.
    pub(super) fn of(&self, instance: InstanceId) -> usize {
        self.alive.iter().find(|(other, _)| *other == instance).map_or(0, |(_, life)| *life)
    }

    /// The step that a life took part in last, and the one that began it.
    pub(super) fn last(&self, life: usize) -> (Option<usize>, Option<usize>) {
        (self.last[life], self.lives[life].born)
    }

    /// Takes part in a step.
    pub(super) fn moves(&mut self, life: usize, step: usize) {
        self.last[life] = Some(step);
    }

    /// Who is alive.
    pub(super) fn alive(&self) -> impl Iterator<Item = InstanceId> {
        self.alive.iter().map(|(instance, _)| *instance)
    }

    /// All lives so far.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Life)> {
        self.lives.iter().enumerate()
    }

    /// The lives as they were after `n_steps` steps.
    pub(super) fn finish(self, n_steps: usize) -> Vec<Life> {
        let is_told = |step: Option<usize>| step.is_none_or(|step| step < n_steps);
        let told = self.lives.into_iter().filter(|life| is_told(life.born));
        told.map(|life| Life { died: life.died.filter(|&step| step < n_steps), ..life }).collect()
    }
}
