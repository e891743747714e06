//! A small model, and processes that search it together: threads here, and all else is as between programs.

use std::net::TcpListener;
use std::thread;

use stubborn_cluster::{Cluster, Meeting, Place, Secret};
use stubborn_ir::fixture::{Fixture, add, compare};
use stubborn_ir::{BinaryOp, Model, SlotType};
use stubborn_reduce::Plan;
use stubborn_search::{Distributed, End, Gathered, Ignore, Limits, Task};

/// States of the model.
pub(crate) const N_STATES: u64 = 100;

/// Two processes that each count to nine.
fn counters() -> Model {
    let mut model = Fixture::new();
    let mut p = model.process("Counter");
    let i = p.local("i", SlotType::Byte);
    p.edge(0, 0, "i++").guard(compare(&i, BinaryOp::Lt, 9)).assign(&i, add(&i, 1));
    p.end_label(0);
    let p = p.finish();
    (0..2).for_each(|_| model.activate(p));
    model.finish()
}

/// A process, its cluster, and what it searches.
pub(crate) struct Member<'m> {
    pub(crate) cluster: Cluster,
    pub(crate) limits: Limits,
    model: &'m Model,
}

impl Member<'_> {
    /// Searches once more.
    pub(crate) fn search(&mut self) -> (Gathered, End) {
        let task = Task { model: self.model, plan: &Plan::none(), claim: None };
        self.cluster.search(&task, &self.limits, &mut Ignore).unwrap()
    }
}

/// As many processes as there are of these, who do so once they have met; the first here, the others beside it.
pub(crate) fn together(first: impl FnOnce(Member<'_>), others: &[fn(Member<'_>)]) {
    let model = counters();
    let n_processes = others.len() + 1;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let secret = Secret::of("known to tests").unwrap();
    let form = |process, meeting| {
        let place = Place { process, meeting, workers: 2, secret: secret.clone() };
        let cluster = Cluster::form(place, &[], &model, None, &|| false).unwrap();
        Member { cluster, limits: Limits::memory(1 << 26), model: &model }
    };
    thread::scope(|scope| {
        for (index, other) in others.iter().enumerate() {
            let meeting = Meeting::There(address.clone(), n_processes);
            let form = &form;
            scope.spawn(move || other(form(index + 1, meeting)));
        }
        first(form(0, Meeting::Here(listener, n_processes)));
    });
}
