//! The models of the paper, and what is wrong with each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_ir::{Claim, ClaimBody, Expr, Interpreter, Literal, Model, Violation};
use stubborn_promela::{Loader, load};
use stubborn_tests::corpus::Corpus;
use stubborn_tests::workspace;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    Deadlock,
    Assertion,
    /// A state that the model's never claim ends in.
    Invariant,
    /// A run that violates the model's claim.
    Run,
}

/// A model in some size.
pub(crate) struct Subject {
    pub(crate) name: String,
    file: &'static str,
    defines: Vec<(&'static str, u32)>,
    /// What is changed in its text: sizes, and what SPIN 6.5.2 calls an error by now.
    edits: Vec<(String, String)>,
    pub(crate) wrong: Wrong,
}

impl Subject {
    fn new(name: String, file: &'static str, wrong: Wrong) -> Subject {
        Subject { name, file, defines: Vec::new(), edits: Vec::new(), wrong }
    }

    pub(crate) fn marriers(n: u32) -> Subject {
        let mut it = Subject::new(format!("marriers({n})"), "deadlock.marriers.prm", Wrong::Deadlock);
        it.edit("#define NPAIRS 2", &format!("#define NPAIRS {n}"));
        it
    }

    pub(crate) fn leader(n: u32) -> Subject {
        let mut it = Subject::new(format!("leader({n})"), "assertion.leader.prm", Wrong::Assertion);
        it.define("N", n);
        it.define("L", 2 * n);
        // An index is looked at only where it is in the array.
        for size in 1..=10 {
            let (index, test) = (size - 1, format!("N == {size}"));
            it.edit(&format!("Ini[{index}] == 0 && {test}"), &format!("{test} && Ini[{index}] == 0"));
        }
        it
    }

    pub(crate) fn pots() -> Subject {
        let mut it = Subject::new("pots".to_owned(), "ltl.invariant.pots-error.prm", Wrong::Invariant);
        // Messages have all their fields.
        for word in ["offhook", "onhook"] {
            it.edit(&format!("toSwitch!{word};"), &format!("toSwitch!{word},0,0,0,0;"));
        }
        for word in ["audiblering", "busytone", "dialtone", "ringtone", "stopaudiblering", "stopringtone"] {
            it.edit(&format!("toUser!{word};"), &format!("toUser!{word},0,0,0,0,0,0,0;"));
        }
        for word in ["connectack", "connectreq", "disconnect"] {
            it.edit(&format!("toOtherHandler!{word};"), &format!("toOtherHandler!{word},0,0,0,0;"));
        }
        it
    }

    /// A model of our own.
    pub(crate) fn giop(wrong: Wrong) -> Subject {
        Subject::new("giop(2,1)".to_owned(), "", wrong)
    }

    pub(crate) fn elevator(n: u32) -> Subject {
        let mut it = Subject::new(format!("elevator({n})"), "ltl.elevator.prm", Wrong::Run);
        it.define("N", n);
        it
    }

    pub(crate) fn philo(n: u32) -> Subject {
        let mut it = Subject::new(format!("philo({n})"), "ltl.philosophers.prm", Wrong::Run);
        it.define("N", n);
        it
    }

    /// Whether it is not the model of the paper, which has not been published.
    pub(crate) fn is_ours(&self) -> bool {
        self.file.is_empty()
    }

    fn define(&mut self, name: &'static str, value: u32) {
        self.defines.push((name, value));
    }

    fn edit(&mut self, from: &str, to: &str) {
        self.edits.push((from.to_owned(), to.to_owned()));
    }

    /// Its text, with sizes defined.
    pub(crate) fn text(&self, corpus: &Corpus) -> Result<String, String> {
        let path = match self.file {
            "" => workspace::model("directed/giop.pml"),
            file => corpus.path(&format!("hsf-spin-database/{file}")),
        };
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut text = String::new();
        for (name, value) in &self.defines {
            text += &format!("#define {name} {value}\n");
        }
        text += &String::from_utf8_lossy(&bytes);
        for (from, to) in &self.edits {
            text = text.replace(from, to);
        }
        Ok(text)
    }

    /// The model.
    pub(crate) fn read(&self, corpus: &Corpus) -> Result<Model, String> {
        let loaded = load(Path::new("model.pml"), self.text(corpus)?.into(), &Alone, &[]);
        loaded.model.ok_or_else(|| format!("{}: {:?}", self.name, loaded.diagnostics.first()))
    }

    /// Whether a violation is one that is looked for.
    pub(crate) fn is_wanted(&self, violation: Violation) -> bool {
        match self.wrong {
            Wrong::Deadlock => violation == Violation::InvalidEnd,
            Wrong::Assertion => matches!(violation, Violation::FailedAssertion(_)),
            Wrong::Invariant | Wrong::Run => false,
        }
    }

    /// The property that says so.
    pub(crate) fn property<'m>(&self, model: &'m Model) -> &'m str {
        match self.wrong {
            Wrong::Deadlock => "deadlock",
            Wrong::Assertion => "assertions",
            Wrong::Invariant | Wrong::Run => model.claims.first().map_or("", |claim| claim.name.as_str()),
        }
    }
}

/// The state that a never claim waits for: its propositions, and which of them hold.
pub(crate) struct Awaited<'m> {
    pub(crate) propositions: &'m [Expr],
    literals: &'m [Literal],
}

impl<'m> Awaited<'m> {
    pub(crate) fn of(model: &'m Model) -> Option<Awaited<'m>> {
        let Claim { body: ClaimBody::Automaton(automaton), .. } = model.claims.first()? else { return None };
        let edges = &automaton.states[automaton.initial as usize].edges;
        let edge = edges.iter().find(|edge| edge.target != automaton.initial)?;
        Some(Awaited { propositions: &automaton.propositions, literals: &edge.literals })
    }

    pub(crate) fn is(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> bool {
        let holds = |literal: &Literal| {
            let proposition = &self.propositions[literal.proposition as usize];
            interpreter.holds(state, proposition) == Ok(literal.holds)
        };
        self.literals.iter().all(holds)
    }
}

/// The models include nothing.
struct Alone;

impl Loader for Alone {
    fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}
