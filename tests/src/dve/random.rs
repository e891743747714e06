//! Systems by chance: small, in DVE, with channels of both kinds, committed states and values that may not fit.
//!
//! Variables count in both directions near where there is no room, so that the order of two steps can decide whether one
//! of them fails. Some are guarded against it: a model in which everything fails at once shows nothing.

use std::fmt;
use std::path::Path;

use stubborn_dve::load;
use stubborn_ir::Model;

use crate::front_end::Nothing;
use crate::generate::Random;

/// A system that is easy to take apart.
#[derive(Clone, Debug)]
pub struct RandomSystem {
    /// Declarations of variables.
    variables: Vec<String>,
    channels: Vec<RandomChannel>,
    processes: Vec<RandomProcess>,
}

#[derive(Clone, Debug)]
struct RandomChannel {
    declaration: String,
    has_value: bool,
}

#[derive(Clone, Debug)]
struct RandomProcess {
    n_states: usize,
    committed: Option<usize>,
    transitions: Vec<RandomTransition>,
}

#[derive(Clone, Debug)]
struct RandomTransition {
    from: usize,
    to: usize,
    guards: Vec<String>,
    sync: Option<String>,
    effects: Vec<String>,
}

/// Global variables; `a` is an array of two.
const SCALARS: [&str; 3] = ["x", "y", "z"];

impl RandomSystem {
    /// The system of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let is_careful = random.below(3) > 0;
        let initial = |random: &mut Random| match is_careful {
            true => random.below(2),
            // There is little room at either end.
            false => [0, 0, 1, 254, 255][random.below(5)],
        };
        let mut variables: Vec<String> =
            SCALARS.iter().map(|name| format!("byte {name} = {};", initial(&mut random))).collect();
        variables.push("byte a[2];".to_owned());
        variables.push(format!("int i = {};", [0, 0, 1, 32767, -32768][random.below(5)]));
        let mut system = RandomSystem { variables, channels: Vec::new(), processes: Vec::new() };
        for c in 0..1 + random.below(2) {
            let (kind, has_value) = [
                (format!("channel c{c};"), false),
                (format!("channel c{c};"), true),
                (format!("channel {{byte}} c{c}[1];"), true),
                (format!("channel {{byte}} c{c}[2];"), true),
            ][random.below(4)]
            .clone();
            system.channels.push(RandomChannel { declaration: kind, has_value });
        }
        if random.below(4) == 0 {
            system.count_to_the_end(&mut random);
            return system;
        }
        let n_processes = 2 + random.below(3);
        let sizes: Vec<usize> = (0..n_processes).map(|_| 1 + random.below(3)).collect();
        for p in 0..n_processes {
            let n_states = sizes[p];
            let committed = (random.below(4) == 0).then(|| random.below(n_states));
            let mut process = RandomProcess { n_states, committed, transitions: Vec::new() };
            for from in 0..n_states {
                for _ in 0..1 + random.below(2) {
                    let transition = system.transition(&mut random, p, from, &sizes, is_careful);
                    process.transitions.push(transition);
                }
            }
            system.processes.push(process);
        }
        system
    }

    /// Processes that count up and down without looking, a few steps each: whether there is room is a matter of order.
    fn count_to_the_end(&mut self, random: &mut Random) {
        for (i, name) in SCALARS.iter().enumerate() {
            self.variables[i] = format!("byte {name} = {};", [0, 1, 254, 255][random.below(4)]);
        }
        for _ in 0..2 + random.below(2) {
            let n_steps = 1 + random.below(3);
            let mut process =
                RandomProcess { n_states: n_steps + 1, committed: None, transitions: Vec::new() };
            for from in 0..n_steps {
                let name = ["x", "x", "y", "z"][random.below(4)];
                let sign = if random.below(2) == 0 { '+' } else { '-' };
                let effects = vec![format!("{name} = {name} {sign} 1")];
                let t = RandomTransition { from, to: from + 1, guards: Vec::new(), sync: None, effects };
                process.transitions.push(t);
            }
            self.processes.push(process);
        }
    }

    fn transition(
        &self,
        random: &mut Random,
        process: usize,
        from: usize,
        sizes: &[usize],
        is_careful: bool,
    ) -> RandomTransition {
        let to = random.below(sizes[process]);
        let mut t = RandomTransition { from, to, guards: Vec::new(), sync: None, effects: Vec::new() };
        if random.below(3) == 0 {
            t.guards.push(condition(random, process, sizes));
        }
        if random.below(3) == 0 {
            t.sync = Some(self.sync(random));
        }
        for _ in 0..[0, 1, 1, 2][random.below(4)] {
            let name = variable(random);
            let (effect, guard) = match random.below(9) {
                0 | 1 => (format!("{name} = {name} + 1"), Some(format!("{name} < 2"))),
                2 | 3 => (format!("{name} = {name} - 1"), Some(format!("{name} > 0"))),
                4 => (format!("{name} = {}", variable(random)), None),
                5 => (format!("{name} = 1 - {name}"), Some(format!("{name} < 2"))),
                6 => (format!("a[{name} % 2] = {}", random.below(3)), Some(format!("{name} >= 0"))),
                _ => (format!("{name} = {}", random.below(3)), None),
            };
            t.guards.extend(guard.filter(|_| is_careful));
            t.effects.push(effect);
        }
        t
    }

    fn sync(&self, random: &mut Random) -> String {
        let c = random.below(self.channels.len());
        match (random.below(2) == 0, self.channels[c].has_value) {
            (true, true) => match random.below(3) {
                0 => format!("c{c}!{}", random.below(3)),
                _ => format!("c{c}!{}", variable(random)),
            },
            (true, false) => format!("c{c}!"),
            (false, true) => format!("c{c}?{}", variable(random)),
            (false, false) => format!("c{c}?"),
        }
    }

    /// The model; none if the text is not one, which it should be.
    pub fn model(&self) -> Option<Model> {
        load(Path::new("by_chance.dve"), self.to_string().into(), &Nothing, &[]).model
    }

    /// A smaller system that still fails, as long as there is one.
    pub fn shrunk(mut self, fails: &mut dyn FnMut(&RandomSystem) -> bool) -> RandomSystem {
        loop {
            let Some(smaller) = self.smaller().into_iter().find(|system| fails(system)) else { return self };
            self = smaller;
        }
    }

    /// Without one thing each.
    fn smaller(&self) -> Vec<RandomSystem> {
        let mut found = Vec::new();
        let mut without = |take_out: &dyn Fn(&mut RandomSystem)| {
            let mut system = self.clone();
            take_out(&mut system);
            found.push(system);
        };
        for (p, process) in self.processes.iter().enumerate() {
            if !process.transitions.is_empty() {
                without(&|system| system.processes[p].transitions.clear());
            }
            if process.committed.is_some() {
                without(&|system| system.processes[p].committed = None);
            }
            for (i, t) in process.transitions.iter().enumerate() {
                without(&|system| drop(system.processes[p].transitions.remove(i)));
                if t.sync.is_some() {
                    without(&|system| system.processes[p].transitions[i].sync = None);
                }
                for j in 0..t.guards.len() {
                    without(&|system| drop(system.processes[p].transitions[i].guards.remove(j)));
                }
                for j in 0..t.effects.len() {
                    without(&|system| drop(system.processes[p].transitions[i].effects.remove(j)));
                }
            }
        }
        found
    }
}

fn variable(random: &mut Random) -> &'static str {
    ["x", "x", "y", "z", "a[0]", "a[1]", "i"][random.below(7)]
}

/// What a process may ask: of variables, and where others are.
fn condition(random: &mut Random, process: usize, sizes: &[usize]) -> String {
    let name = variable(random);
    match random.below(8) {
        0 => format!("{name} < {}", variable(random)),
        1 | 2 => {
            let other = random.below(sizes.len());
            let state = random.below(sizes[other]);
            let not = if random.below(2) == 0 { "not " } else { "" };
            match other == process {
                true => format!("{name} != 1"),
                false => format!("{not}P{other}.s{state}"),
            }
        }
        3 => format!("{name} == 0 or {} == 1", variable(random)),
        4 => format!("{name} == 0 and {} == 1", variable(random)),
        5 => format!("{name} + {} < 3", variable(random)),
        6 => format!("not ({name} == {})", random.below(3)),
        _ => format!("{name} == {}", random.below(2)),
    }
}

impl fmt::Display for RandomSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.variables.iter().try_for_each(|variable| writeln!(f, "{variable}"))?;
        self.channels.iter().try_for_each(|channel| writeln!(f, "{}", channel.declaration))?;
        for (p, process) in self.processes.iter().enumerate() {
            let states: Vec<String> = (0..process.n_states).map(|s| format!("s{s}")).collect();
            writeln!(f, "process P{p} {{\n  state {};\n  init s0;", states.join(", "))?;
            if let Some(state) = process.committed {
                writeln!(f, "  commit s{state};")?;
            }
            let shown: Vec<String> = process.transitions.iter().map(ToString::to_string).collect();
            if !shown.is_empty() {
                writeln!(f, "  trans\n{};", shown.join(",\n"))?;
            }
            writeln!(f, "}}")?;
        }
        writeln!(f, "system async;")
    }
}

impl fmt::Display for RandomTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "    s{} -> s{} {{", self.from, self.to)?;
        if !self.guards.is_empty() {
            let guards: Vec<String> = self.guards.iter().map(|guard| format!("({guard})")).collect();
            write!(f, " guard {};", guards.join(" and "))?;
        }
        if let Some(sync) = &self.sync {
            write!(f, " sync {sync};")?;
        }
        if !self.effects.is_empty() {
            write!(f, " effect {};", self.effects.join(", "))?;
        }
        write!(f, " }}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_is_a_model() {
        for seed in 0..300 {
            let system = RandomSystem::new(seed);
            assert!(system.model().is_some(), "{system}");
        }
    }
}
