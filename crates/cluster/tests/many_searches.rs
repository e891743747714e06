//! A cluster searches again and again, and nothing of a search is left behind: no thread, no memory of one, no connection.
//!
//! The program has this one test, since what is counted belongs to all of it.

use std::fs;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use stubborn_cluster::{Cluster, Meeting, Place, Secret};
use stubborn_ir::fixture::{Fixture, add, compare};
use stubborn_ir::{BinaryOp, Model, SlotType};
use stubborn_reduce::Plan;
use stubborn_search::{Distributed, End, Ignore, Limits, Task};

/// Searches before anything is counted.
const FIRST: usize = 20;

/// Searches after that.
const MORE: usize = 100;

const N_PROCESSES: usize = 3;

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

/// Entries of these of this program: threads, mappings, open files.
fn held() -> Option<[usize; 3]> {
    let entries = |name: &str| fs::read_dir(name).ok().map(Iterator::count);
    let mappings = fs::read_to_string("/proc/self/maps").ok()?.lines().count();
    Some([entries("/proc/self/task")?, mappings, entries("/proc/self/fd")?])
}

/// The same, once nothing is going away any more.
fn held_for_long() -> Option<[usize; 3]> {
    let since = Instant::now();
    let mut least = held()?;
    while since.elapsed() < Duration::from_millis(500) {
        thread::sleep(Duration::from_millis(20));
        let now = held()?;
        least = std::array::from_fn(|at| least[at].min(now[at]));
    }
    Some(least)
}

#[test]
fn nothing_is_left_of_a_search() {
    if held().is_none() {
        eprintln!("SKIPPED: what searches of a cluster leave behind: there is no /proc here");
        return;
    }
    let model = counters();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let secret = Secret::of("known to tests").unwrap();
    let form = |process, meeting| {
        let place = Place { process, meeting, workers: 2, secret: secret.clone() };
        Cluster::form(place, &[], &model, None, &|| false).unwrap()
    };
    let search = |cluster: &mut Cluster, n: usize| {
        let task = Task { model: &model, plan: &Plan::none(), claim: None };
        for _ in 0..n {
            let (gathered, end) = cluster.search(&task, &Limits::memory(1 << 26), &mut Ignore).unwrap();
            assert_eq!(end, End::Exhausted);
            assert!(!cluster.is_first() || gathered.counts.states == 100);
        }
    };
    thread::scope(|scope| {
        for process in 1..N_PROCESSES {
            let meeting = Meeting::There(address.clone(), N_PROCESSES);
            scope.spawn(move || search(&mut form(process, meeting), FIRST + MORE));
        }
        let mut cluster = form(0, Meeting::Here(listener, N_PROCESSES));
        search(&mut cluster, FIRST);
        let before = held_for_long().unwrap();
        search(&mut cluster, MORE);
        let after = held_for_long().unwrap();
        for (what, (before, after)) in ["threads", "mappings", "files"].iter().zip(before.iter().zip(after)) {
            assert!(
                after <= before + MORE / 10,
                "{before} {what} before {MORE} searches, {after} after them"
            );
        }
    });
}
