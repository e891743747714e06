//! A trail: the steps of a counterexample with what each one changed.

use std::fmt;

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{Change, Model, Move, Pid, TransitionId, Violation};

/// A counterexample that was replayed. The last `cycle` steps repeat for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trail {
    /// Number of steps before the cycle.
    pub prefix: usize,
    /// Number of steps of the cycle; none for a violation that ends a run.
    pub cycle: usize,
    /// All steps, in order.
    pub steps: Vec<TrailStep>,
    /// No counterexample has fewer steps: all that could have were looked at.
    pub is_shortest: bool,
    /// What is wrong at the end.
    pub violation: Violation,
    /// Where the processes are at the end, in order of their numbers.
    pub waiting: Vec<Waiting>,
}

impl Trail {
    /// Whether its steps are firings of a net.
    pub fn is_of_net(&self) -> bool {
        self.steps.first().is_some_and(|step| step.mover.fires.is_some())
    }
}

/// One step of a trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrailStep {
    /// The move, to make it again.
    pub made: Move,
    /// Who moved, and by which statement; in a rendezvous, the sender.
    pub mover: Participant,
    /// In a rendezvous, the receiver.
    pub partner: Option<Participant>,
    /// What changed; nothing if the step fails.
    pub changes: Vec<Change>,
}

/// A process and its statement in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// Name of the process type.
    pub process: SmolStr,
    /// Number of the process.
    pub pid: Pid,
    /// The statement.
    pub span: Span,
    /// The statement in one line.
    pub text: SmolStr,
    /// The transition of the net that fires: there the process is the net, and says nothing.
    pub fires: Option<Fires>,
}

/// A transition of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fires {
    /// Its number.
    pub transition: u32,
    /// Its name, without a binding.
    pub name: SmolStr,
}

impl Participant {
    /// `P(1)`; nobody if it is a net that fires.
    pub fn who(&self) -> Option<String> {
        self.fires.is_none().then(|| format!("{}({})", self.process, self.pid))
    }
}

/// `P(1): x = 2`; of a net only what fires.
impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.who().iter().try_for_each(|who| write!(f, "{who}: "))?;
        f.write_str(&self.text)
    }
}

/// Who makes a move, and by which statement; in a rendezvous, the sender and the receiver.
pub fn participants(model: &Model, made: Move) -> (Participant, Option<Participant>) {
    let participant = |pid: Pid, transition: TransitionId| {
        let t = &model.transitions[transition];
        let process = model.processes[t.process].name.clone();
        let fires = model.net.as_ref().and_then(|net| net.transitions.get(t.number as usize));
        let fires = fires.map(|fires| Fires { transition: t.number, name: fires.name.clone() });
        Participant { process, pid, span: t.origin.span, text: t.origin.text.clone(), fires }
    };
    let partner = made.partner.map(|(pid, transition)| participant(pid, transition));
    (participant(made.pid, made.transition), partner)
}

/// Where a process is at the end of a trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Name of the process type.
    pub process: SmolStr,
    /// Number of the process.
    pub pid: Pid,
    /// The statement that would come next.
    pub span: Span,
    /// Whether it may stay there for ever.
    pub is_end: bool,
}
