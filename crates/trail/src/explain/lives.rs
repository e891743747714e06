//! Processes from their creation to their end.

use stubborn_ir::{InstanceId, Interpreter, Pid};

use super::Life;

/// The lives so far, and who lives now.
pub(super) struct Lives {
    lives: Vec<Life>,
    /// Who is alive: the instance, its life and the last step it took part in.
    alive: Vec<Alive>,
}

struct Alive {
    instance: InstanceId,
    life: usize,
    last: Option<usize>,
}

impl Lives {
    /// Those of the initial state.
    pub(super) fn start(interpreter: &Interpreter<'_>, state: &[u8]) -> Self {
        let mut lives = Lives { lives: Vec::new(), alive: Vec::new() };
        lives.note(interpreter, state, None);
        lives
    }

    /// Takes down who is there after a step.
    pub(super) fn note(&mut self, interpreter: &Interpreter<'_>, state: &[u8], step: Option<usize>) {
        let layout = interpreter.layout();
        let Lives { lives, alive } = self;
        alive.retain(|alive| {
            let lives_on = layout.is_alive(state, alive.instance);
            if !lives_on {
                lives[alive.life].died = step;
            }
            lives_on
        });
        let is_new = |id: InstanceId| alive.iter().all(|alive| alive.instance != id);
        let born = layout.instances().filter(|&(id, _)| layout.is_alive(state, id) && is_new(id));
        let mut born: Vec<(Pid, InstanceId)> = born.map(|(id, instance)| (instance.pid, id)).collect();
        born.sort_unstable();
        for (pid, instance) in born {
            let process = &interpreter.model().processes[layout.instance(instance).process];
            alive.push(Alive { instance, life: lives.len(), last: None });
            lives.push(Life { process: process.name.clone(), pid, born: step, died: None });
        }
    }

    /// The life of a process that exists.
    pub(super) fn of(&self, instance: InstanceId) -> usize {
        self.find(instance).map_or(0, |alive| alive.life)
    }

    /// The step that a process took part in last, and the one that created it.
    pub(super) fn last(&self, instance: InstanceId) -> (Option<usize>, Option<usize>) {
        match self.find(instance) {
            Some(alive) => (alive.last, self.lives[alive.life].born),
            None => (None, None),
        }
    }

    /// A process takes part in a step.
    pub(super) fn moves(&mut self, instance: InstanceId, step: usize) {
        if let Some(alive) = self.alive.iter_mut().find(|alive| alive.instance == instance) {
            alive.last = Some(step);
        }
    }

    /// Who is alive.
    pub(super) fn alive(&self) -> impl Iterator<Item = InstanceId> {
        self.alive.iter().map(|alive| alive.instance)
    }

    /// The lives as they were after `n_steps` steps.
    pub(super) fn finish(self, n_steps: usize) -> Vec<Life> {
        let is_told = |step: Option<usize>| step.is_none_or(|step| step < n_steps);
        let told = self.lives.into_iter().filter(|life| is_told(life.born));
        told.map(|life| Life { died: life.died.filter(|&step| step < n_steps), ..life }).collect()
    }

    fn find(&self, instance: InstanceId) -> Option<&Alive> {
        self.alive.iter().find(|alive| alive.instance == instance)
    }
}
