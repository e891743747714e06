//! A cluster searches again and again, and nothing of a search is left behind: no thread, no memory of one, no connection.
//!
//! The program has this one test, since what is counted belongs to all of it.

#![allow(clippy::print_stderr)]

mod together;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use stubborn_search::End;
use together::{Member, N_STATES, together};

/// Searches before anything is counted.
const FIRST: usize = 20;

/// Searches after that.
const MORE: usize = 100;

/// What this program holds: threads, mappings, open files.
fn held() -> Option<[usize; 3]> {
    let entries = |name: &str| fs::read_dir(name).ok().map(Iterator::count);
    let mappings = fs::read_to_string("/proc/self/maps").ok()?.lines().count();
    Some([entries("/proc/self/task")?, mappings, entries("/proc/self/fd")?])
}

/// The same, once nothing is going away any more.
fn held_for_long() -> [usize; 3] {
    let since = Instant::now();
    let mut least = [usize::MAX; 3];
    while since.elapsed() < Duration::from_millis(500) {
        let now = held().unwrap();
        least = std::array::from_fn(|at| least[at].min(now[at]));
        thread::sleep(Duration::from_millis(20));
    }
    least
}

fn search(member: &mut Member<'_>, n: usize) {
    for _ in 0..n {
        let (gathered, end) = member.search();
        assert_eq!(end, End::Exhausted);
        assert!(!member.cluster.is_first() || gathered.counts.states == N_STATES);
    }
}

#[test]
fn nothing_is_left_of_a_search() {
    if held().is_none() {
        eprintln!("SKIPPED: what searches of a cluster leave behind: there is no /proc here");
        return;
    }
    let first = |mut member: Member<'_>| {
        search(&mut member, FIRST);
        let before = held_for_long();
        search(&mut member, MORE);
        let after = held_for_long();
        for (what, (before, after)) in ["threads", "mappings", "files"].iter().zip(before.iter().zip(after)) {
            assert!(
                after <= before + MORE / 10,
                "{before} {what} before {MORE} searches, {after} after them"
            );
        }
    };
    let other: fn(Member<'_>) = |mut member| search(&mut member, FIRST + MORE);
    together(first, &[other, other]);
}
