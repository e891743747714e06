//! Expanding states a block at a time: what is found is staged, and then goes to whoever owns it.
//!
//! The owner of a state is a matter of its hash alone. What a worker owns itself it places at once; so it often knows,
//! without asking anybody, that a state may keep to part of its steps.

use std::ops::ControlFlow;

use stubborn_ir::{Effect, Model, Step, Violation};
use stubborn_search::{
    By, Counts, Expander, Incomplete, Key, Part, Seen, StateId, Taken, Watched, is_worth_keeping, keep_least,
    violates,
};

use crate::graph::Elder;
use crate::letter::{GlobalId, Message, Wrong};
use crate::rounds::Announced;
use crate::searcher::{Going, LETTER, Searcher};

/// What is found in a block of states, before it goes anywhere.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    bytes: Vec<u8>,
    successors: Vec<Successor>,
    sources: Vec<Source>,
    choices: Vec<bool>,
    local: Vec<(usize, Key)>,
}

#[derive(Clone, Copy, Debug)]
struct Successor {
    /// Index of its source in the block.
    source: u32,
    start: usize,
    end: usize,
}

/// A state that is expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) id: StateId,
    /// Only part of its steps was taken, which begins there in `choices`.
    pub(crate) part: Option<usize>,
    /// A step leads to the next level.
    pub(crate) is_settled: bool,
    /// Of a node: the [elder](crate::graph) of what is reached from it.
    pub(crate) elder: Elder,
}

impl Stage {
    /// A state is expanded; its number in the block.
    pub(crate) fn begin(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32 - 1
    }

    /// A successor, which is written by `write`.
    pub(crate) fn add(&mut self, source: u32, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.successors.push(Successor { source, start, end: self.bytes.len() });
    }
}

/// What a round of a worker came to.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) counts: Counts,
    pub(crate) cut_off: bool,
    pub(crate) is_endless: bool,
    pub(crate) found: Vec<Seen<StateId>>,
    /// A state in which the invariant has no value.
    pub(crate) without_value: Option<(StateId, Vec<u8>)>,
}

/// Whether a model creates processes while it runs.
pub(crate) fn creates_processes(model: &Model) -> bool {
    // What is inside a `d_step` is not looked at.
    let may_create = |effect: &Effect| matches!(effect, Effect::Run(_) | Effect::DStep(_));
    model.transitions.iter().any(|transition| transition.effects.iter().any(may_create))
}

/// The worker that owns a state.
pub(crate) fn owner(state: &[u8], n_workers: usize) -> usize {
    // Tables place by the first bits.
    let low = u64::from(Key::plain(state).hash() as u32);
    ((low * n_workers as u64) >> 32) as usize
}

impl Searcher<'_, '_> {
    /// Expands states, by what is chosen or by the rest.
    pub(crate) fn expand_block(&mut self, ids: &[StateId], is_first: bool) -> Going {
        let mut stage = std::mem::take(&mut self.stage);
        stage.bytes.clear();
        stage.successors.clear();
        stage.sources.clear();
        stage.choices.clear();
        for &id in ids {
            match &self.product {
                Some(_) => self.stage_node(&mut stage, id)?,
                None => self.stage(&mut stage, id, is_first)?,
            }
        }
        let placed = self.distribute(&mut stage);
        self.stage = stage;
        placed
    }

    fn stage(&mut self, stage: &mut Stage, id: StateId, is_first: bool) -> Going {
        let Searcher { shard, state, .. } = self;
        shard.read(id, state);
        if is_first && !self.is_known(id) {
            return ControlFlow::Continue(());
        }
        let Searcher { state, expander, findings, unsettled, .. } = self;
        let (n_bytes, n_successors, n_choices) =
            (stage.bytes.len(), stage.successors.len(), stage.choices.len());
        let before = findings.counts;
        let mut sink = Sink { stage, seen: Vec::new(), kept: &findings.found, state };
        let mut choices = std::mem::take(&mut sink.stage.choices);
        let rest = match is_first {
            true => None,
            false => unsettled.chosen(id),
        };
        let part = rest.map_or(Part::Chosen, Part::Rest);
        let taken = expander.expand(state, part, &mut choices, &mut findings.counts, &mut sink);
        let seen = std::mem::take(&mut sink.seen);
        stage.choices = choices;
        if !self.is_expanded(id, &taken, before)? {
            stage.bytes.truncate(n_bytes);
            stage.successors.truncate(n_successors);
            stage.choices.truncate(n_choices);
            return ControlFlow::Continue(());
        }
        let Searcher { state, findings, .. } = self;
        for (violation, steps) in seen {
            keep_least(&mut findings.found, Seen { violation, id, state: state.clone(), steps });
        }
        if is_first {
            findings.counts.states += 1;
            self.look_at_claim(id);
        }
        let part = (taken.is_part && self.rounds.has_proviso()).then_some(n_choices);
        stage.begin(Source { id, part, is_settled: false, elder: Elder::NONE });
        ControlFlow::Continue(())
    }

    /// Whether a state that is expanded violates the claim, if states decide it.
    fn look_at_claim(&mut self, id: StateId) {
        let Searcher { state, expander, common, findings, holds, .. } = self;
        let Some(Watched { automaton, by: By::States }) = common.task.claim else { return };
        match violates(&expander.interpreter, state, automaton, holds) {
            Ok(true) => {
                let (violation, steps) = (Violation::BadPrefix, Vec::new());
                keep_least(&mut findings.found, Seen { violation, id, state: state.clone(), steps });
            }
            Ok(false) => {}
            Err(_) => findings.without_value = Some((id, state.clone())),
        }
    }

    /// Whether reducers know all processes of the state that is to be expanded; it is put off until they do.
    pub(crate) fn is_known(&mut self, id: StateId) -> bool {
        let Searcher { common, expander, product, state, .. } = self;
        let Some(reducer) = expander.reducer.as_ref().filter(|_| common.creates) else { return true };
        let state = product.as_ref().map_or(&*state, |product| &product.state);
        let unknown = reducer.unknown(&expander.interpreter, state);
        if unknown.is_empty() {
            return true;
        }
        self.put_off.push(id);
        unknown.into_iter().for_each(|(id, values)| self.announce(Announced::Process(id, values)));
        false
    }

    /// Whether a state was expanded, and is not put off until all layouts have the frames that it leads to: then counts are as
    /// they were `before`, and whatever was found is found again.
    pub(crate) fn is_expanded(&mut self, id: StateId, taken: &Taken, before: Counts) -> Going<bool> {
        let Searcher { common, expander, findings, .. } = self;
        let wanted = if common.creates { expander.interpreter.take_wanted() } else { Vec::new() };
        if !wanted.is_empty() {
            findings.counts = before;
            self.put_off.push(id);
            wanted.into_iter().for_each(|(pid, process)| self.announce(Announced::Frame(pid, process)));
            return ControlFlow::Continue(false);
        }
        if taken.stopped {
            // Only the clock stops it.
            return common.fail(common.clock.check().err().unwrap_or(Incomplete::Cancelled));
        }
        findings.cut_off |= taken.cut_off;
        findings.is_endless |= taken.is_endless;
        ControlFlow::Continue(true)
    }

    /// What was found goes to its owners.
    fn distribute(&mut self, stage: &mut Stage) -> Going {
        self.place_own(stage)?;
        self.send_others(stage);
        self.note_unsettled(stage)
    }

    /// Places what this worker owns.
    fn place_own(&mut self, stage: &mut Stage) -> Going {
        let Stage { bytes, successors, sources, local, .. } = stage;
        let state_of = |successor: &Successor| &bytes[successor.start..successor.end];
        local.clear();
        for (index, successor) in successors.iter().enumerate() {
            let state = state_of(successor);
            if self.owner_of(state) == self.me {
                local.push((index, self.common.stored(self.shard.key(state))?));
            }
        }
        let Searcher { me, shard, common, product, .. } = self;
        let mut graph = product.as_mut().and_then(|product| product.graph.as_mut());
        let parent = |source: u32| GlobalId { state: sources[source as usize].id, worker: *me as u16 };
        let states = local.iter().map(|&(index, key)| {
            let successor = &successors[index];
            (state_of(successor), key, parent(successor.source))
        });
        let mut settled = Vec::new();
        let placed = shard.place(states, |at, placed| {
            let successor = &successors[local[at].0];
            if let Some(graph) = &mut graph {
                let (from, elder) = (parent(successor.source), sources[successor.source as usize].elder);
                graph.enter((placed, state_of(successor)), *me, from, elder)?;
            } else if !placed.is_old() {
                settled.push(successor.source);
            }
            Ok(())
        });
        common.stored(placed)?;
        for source in settled {
            sources[source as usize].is_settled = true;
        }
        ControlFlow::Continue(())
    }

    /// Sends the others what they own.
    fn send_others(&mut self, stage: &Stage) {
        let Stage { bytes, successors, sources, local, .. } = stage;
        let has_graph = self.has_graph();
        let mut is_local = local.iter().map(|&(index, _)| index).peekable();
        for (index, successor) in successors.iter().enumerate() {
            if is_local.next_if_eq(&index).is_some() {
                continue;
            }
            let source = sources[successor.source as usize];
            let state = &bytes[successor.start..successor.end];
            let to = self.owner_of(state);
            match has_graph {
                true => self.letters[to].push(&Message::Arc { from: source.id, elder: source.elder, state }),
                false => {
                    self.letters[to].offer(source.id, source.part.is_some() && !source.is_settled, state)
                }
            }
            if self.letters[to].len() >= LETTER {
                self.post(to, self.tick);
            }
        }
    }

    /// Notes what was chosen where no step is known to lead to the next level.
    fn note_unsettled(&mut self, stage: &Stage) -> Going {
        let Stage { sources, choices, .. } = stage;
        for (index, source) in sources.iter().enumerate() {
            if let Some(start) = source.part.filter(|_| !source.is_settled) {
                let end = sources[index + 1..].iter().find_map(|next| next.part).unwrap_or(choices.len());
                let waits = self.unsettled.insert(source.id, &choices[start..end]);
                self.common.stored(waits)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Where what is found in a state goes first.
struct Sink<'a> {
    stage: &'a mut Stage,
    seen: Vec<(Violation, Vec<Step>)>,
    kept: &'a [Seen<StateId>],
    state: &'a [u8],
}

impl stubborn_search::Sink for Sink<'_> {
    #[inline]
    fn state(&mut self, target: &[u8]) {
        let start = self.stage.bytes.len();
        self.stage.bytes.extend_from_slice(target);
        let source = self.stage.sources.len() as u32;
        self.stage.successors.push(Successor { source, start, end: self.stage.bytes.len() });
    }

    fn violation(&mut self, violation: Violation, steps: &[Step]) {
        // Millions may violate it: most are not worth a copy.
        if is_worth_keeping(self.kept, violation, self.state, steps) {
            self.seen.push((violation, steps.to_vec()));
        }
    }
}

/// How a violation is told to the worker that gathers them.
pub(crate) fn wrong(violation: Violation) -> Wrong {
    match violation {
        Violation::InvalidEnd => Wrong::InvalidEnd,
        Violation::FailedAssertion(_) => Wrong::FailedAssertion,
        Violation::Error(_) | Violation::NoInitialState(_) => Wrong::Error,
        Violation::BadPrefix | Violation::InfiniteRun => Wrong::Claim,
    }
}

/// A violation found again, by what is known of it: `state` is where it was found from.
pub(crate) fn find_again(
    expander: &mut Expander<'_>,
    wrong: Wrong,
    state: &[u8],
    steps: &[Step],
) -> Option<Violation> {
    use stubborn_ir::Outcome;
    let mut found = match wrong {
        Wrong::InvalidEnd => Some(Violation::InvalidEnd),
        Wrong::Claim => Some(Violation::BadPrefix),
        Wrong::FailedAssertion | Wrong::Error | Wrong::NoValue => None,
    };
    if found.is_none() {
        expander.interpreter.successors(state, |edge| {
            let failed = edge.failed.iter().find(|failed| edge.steps[..=failed.step] == *steps);
            found = match (wrong, failed, edge.outcome) {
                (Wrong::FailedAssertion, Some(failed), _) => {
                    Some(Violation::FailedAssertion(failed.transition))
                }
                (Wrong::Error, _, Outcome::Error(error)) if edge.steps == steps => {
                    Some(Violation::Error(*error))
                }
                _ => None,
            };
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // What was not expanded before may lack a frame, which is nobody's concern here.
        expander.interpreter.take_wanted();
    }
    found
}
