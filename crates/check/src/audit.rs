//! Reductions held against their definitions on one model.
//!
//! A verdict that no reduction changed is only half of the evidence: this shows, state by
//! state, that each reduction did what its theory asks. See [`stubborn_reduce::audit`].

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stubborn_ir::{BinaryOp, Expr, Interpreter, Model, Place, Region, RuntimeErrorKind};
use stubborn_reduce::audit::{Auditor, Bounds, Declarations, Ending, Recorder, Tally};
use stubborn_reduce::{
    Discipline, PROVISOS, Plan, Proviso, Purpose, Reduction, Visibility, most_preserved, obstacle, refusal,
};
use stubborn_relations::Fault;
use stubborn_search::{End, Expanded, Found, Limits, Observer, Order, search};

/// Propositions that searches are audited with, besides none.
const MAX_PROPOSITIONS: usize = 3;

/// A search may expand a state step by step, or more than once.
const EXPANSIONS_PER_STATE: u64 = 64;

/// What is audited.
#[derive(Clone, Debug)]
pub struct AuditConfig {
    /// This reduction only.
    pub reduction: Option<Reduction>,
    /// This proviso only.
    pub proviso: Option<Proviso>,
    /// This order only.
    pub order: Option<Order>,
    /// Left out on purpose, by tests of the tests.
    pub fault: Option<Fault>,
    /// What it may take.
    pub bounds: Bounds,
    /// Bytes for the states of one search.
    pub memory: usize,
}

impl Default for AuditConfig {
    fn default() -> Self {
        AuditConfig {
            reduction: None,
            proviso: None,
            order: None,
            fault: None,
            bounds: Bounds::default(),
            memory: 1 << 30,
        }
    }
}

/// A reduction that is audited, or was.
#[derive(Clone, PartialEq, Debug)]
pub struct Combination {
    /// The reduction.
    pub plan: Plan,
    /// The order of the search.
    pub order: Order,
    /// What it preserves.
    pub purpose: Purpose,
    /// What the property looks at, in words.
    pub proposition: Option<String>,
}

/// What was found about one reduction.
#[derive(Clone, PartialEq, Debug)]
pub struct Audited {
    /// The reduction.
    pub combination: Combination,
    /// States that its search expanded, again and again if it did so.
    pub n_expansions: u64,
    /// Its conditions.
    pub tallies: Vec<Tally>,
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// States of the model, as far as they were looked at.
    pub n_states: usize,
    /// Why these are not all, if so.
    pub incomplete: Option<String>,
    /// Why nothing can be audited, if so.
    pub obstacle: Option<String>,
    /// By reduction.
    pub audited: Vec<Audited>,
    /// Read and write sets.
    pub declarations: Vec<Tally>,
    /// How long it took.
    pub time: Duration,
}

/// No legal combination is what was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NothingLegal(String);

impl fmt::Display for NothingLegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NothingLegal {}

impl AuditReport {
    /// All that was found, by reduction and apart from any.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.audited.iter().flat_map(|audited| &audited.tallies).chain(&self.declarations)
    }

    /// Something is wrong.
    pub fn is_violated(&self) -> bool {
        self.tallies().any(|tally| tally.n_violations > 0)
    }

    /// Something was left out.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete.is_some() || self.tallies().any(|tally| tally.incomplete.is_some())
    }
}

/// Audits the reductions of a model.
pub fn audit(
    model: &Model,
    config: &AuditConfig,
    cancel: &Arc<AtomicBool>,
) -> Result<AuditReport, NothingLegal> {
    let started = Instant::now();
    let combinations = combinations(config)?;
    let mut report = AuditReport {
        n_states: 0,
        incomplete: None,
        obstacle: None,
        audited: Vec::new(),
        declarations: Vec::new(),
        time: Duration::ZERO,
    };
    if let Some(obstacle) = obstacle(model) {
        report.obstacle = Some(format!("no reduction can be used: {obstacle}"));
        return Ok(report);
    }
    let mut auditor = match Auditor::new(model, config.bounds) {
        Ok(auditor) => auditor,
        Err(kind) => {
            report.obstacle = Some(format!("there is no initial state: {kind}"));
            return Ok(report);
        }
    };
    report.n_states = auditor.n_states();
    report.incomplete = auditor.incomplete();
    let propositions = propositions(model);
    let limits = Limits { cancel: cancel.clone(), ..Limits::memory(config.memory) };
    for (i, combination) in combinations.into_iter().enumerate() {
        let mut all = vec![combination.clone()];
        if combination.purpose != Purpose::Deadlocks && !propositions.is_empty() {
            let (proposition, text) = &propositions[i % propositions.len()];
            let mut seen = combination;
            seen.plan.propositions.push(proposition.clone());
            if seen.purpose == Purpose::Liveness {
                seen.plan.visibility = if i % 2 == 0 { Visibility::VAndI } else { Visibility::C2 };
            }
            seen.proposition = Some(text.clone());
            all.push(seen);
        }
        for combination in all {
            if cancel.load(Ordering::Relaxed) {
                report.incomplete = Some("cancelled".to_owned());
                break;
            }
            match audit_search(&mut auditor, model, combination, &limits) {
                Ok(audited) => report.audited.push(audited),
                Err(kind) => report.incomplete = Some(format!("there is no initial state: {kind}")),
            }
        }
    }
    if let Ok(initial) = Interpreter::new(model).initial() {
        let mut declarations = Declarations::new(model, &initial, None);
        report.declarations = auditor.check_declarations(&mut declarations, 1);
    }
    report.time = started.elapsed();
    Ok(report)
}

/// Searches a model with a reduction, and audits what the search did.
pub fn audit_search<'m>(
    auditor: &mut Auditor<'m>,
    model: &'m Model,
    combination: Combination,
    limits: &Limits,
) -> Result<Audited, RuntimeErrorKind> {
    let limit = auditor.n_states() as u64 * EXPANSIONS_PER_STATE;
    let mut watcher = Watcher { recorder: auditor.recorder(), limit };
    let (_, end) = search(model, combination.order, &combination.plan, limits, &mut watcher)?;
    let ending = if end == End::Exhausted { Ending::Complete } else { Ending::Stopped };
    let n_expansions = watcher.recorder.n_expansions();
    let searched = watcher.recorder.finished();
    let tallies = auditor.audit(&combination.plan, combination.purpose, searched, ending);
    Ok(Audited { combination, n_expansions, tallies })
}

struct Watcher<'a, 'm> {
    recorder: Recorder<'a, 'm>,
    limit: u64,
}

impl Observer for Watcher<'_, '_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn watches_expansions(&self) -> bool {
        true
    }

    fn expanded(&mut self, expanded: &Expanded<'_, '_>) -> ControlFlow<()> {
        if self.recorder.n_expansions() >= self.limit {
            return ControlFlow::Break(());
        }
        self.recorder.expanded(expanded.bytes, expanded.interpreter, expanded.chosen_by);
        ControlFlow::Continue(())
    }
}

/// The legal combinations that are wanted, each for the most it preserves.
fn combinations(config: &AuditConfig) -> Result<Vec<Combination>, NothingLegal> {
    let mut found = Vec::new();
    let mut refused = "there is nothing to audit in a search without a reduction".to_owned();
    for plan in plans().into_iter().filter(|plan| {
        config.reduction.is_none_or(|wanted| wanted == plan.reduction)
            && config.proviso.is_none_or(|wanted| wanted == plan.proviso)
    }) {
        for (order, discipline) in
            [(Order::DepthFirst, Discipline::Stack), (Order::BreadthFirst, Discipline::Queue)]
        {
            if config.order.is_some_and(|wanted| wanted != order) {
                continue;
            }
            match most_preserved(&plan, discipline) {
                Some(purpose) => {
                    let plan = Plan { fault: config.fault, ..plan.clone() };
                    found.push(Combination { plan, order, purpose, proposition: None });
                }
                None => refused = refusal(&plan, discipline, Purpose::Deadlocks).unwrap_or(refused),
            }
        }
    }
    if found.is_empty() { Err(NothingLegal(refused)) } else { Ok(found) }
}

/// Every reduction with every proviso.
fn plans() -> Vec<Plan> {
    let with_all = |reduction: Reduction| PROVISOS.map(|proviso| Plan::new(reduction, proviso));
    Reduction::all().into_iter().flat_map(with_all).collect()
}

/// What a property might look at: the first globals, each against 0.
fn propositions(model: &Model) -> Vec<(Expr, String)> {
    let variables = model.globals.iter().take(MAX_PROPOSITIONS);
    variables
        .map(|variable| {
            let value = Expr::Load(Place::simple(Region::Global, variable.slot));
            let expr = Expr::binary(BinaryOp::Eq, value, Expr::Const(0));
            (expr, format!("{} == 0", variable.name))
        })
        .collect()
}
