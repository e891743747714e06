//! Processes of a cluster that do not come to a search at once, or at all.

mod together;

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use stubborn_search::{End, Incomplete};
use together::{Member, N_STATES, together};

/// Longer than a process waits for a word, and than it may be silent.
const LONG: Duration = Duration::from_secs(5);

/// Within that time a search ends that cannot go on.
const SOON: Duration = Duration::from_secs(2);

fn searches(member: &mut Member<'_>) {
    let (gathered, end) = member.search();
    assert_eq!(end, End::Exhausted);
    assert!(!member.cluster.is_first() || gathered.counts.states == N_STATES);
}

/// It may have much to do with what the last search found.
#[test]
fn who_comes_late_to_a_search_is_waited_for() {
    let late = |mut member: Member<'_>| {
        searches(&mut member);
        thread::sleep(LONG);
        searches(&mut member);
    };
    let in_time = |mut member: Member<'_>| (0..2).for_each(|_| searches(&mut member));
    together(late, &[in_time]);
    together(in_time, &[late]);
}

/// Searches in vain.
fn searches_in_vain(member: &mut Member<'_>, why: Incomplete) {
    let since = Instant::now();
    assert_eq!(member.search().1, End::Incomplete(why));
    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
}

#[test]
fn who_leaves_is_not_waited_for() {
    let leaves = |mut member: Member<'_>| searches(&mut member);
    let first = |mut member: Member<'_>| {
        searches(&mut member);
        searches_in_vain(&mut member, Incomplete::Lost { process: 1 });
    };
    let other = |mut member: Member<'_>| {
        searches(&mut member);
        searches_in_vain(&mut member, Incomplete::Lost { process: 0 });
    };
    together(first, &[leaves]);
    together(leaves, &[other]);
}

#[test]
fn who_waits_does_so_for_as_long_as_a_search_may_take() {
    let late = |mut member: Member<'_>| {
        searches(&mut member);
        thread::sleep(SOON);
        assert!(matches!(member.search().1, End::Incomplete(_)));
    };
    let waits = |mut member: Member<'_>| {
        searches(&mut member);
        member.limits.time = Some(SOON / 2);
        searches_in_vain(&mut member, Incomplete::Time { limit: SOON / 2 });
    };
    together(waits, &[late]);
}

#[test]
fn who_waits_can_be_told_not_to() {
    let late = |mut member: Member<'_>| {
        searches(&mut member);
        thread::sleep(SOON);
        assert!(matches!(member.search().1, End::Incomplete(_)));
    };
    let waits = |mut member: Member<'_>| {
        searches(&mut member);
        member.limits.cancel.store(true, Ordering::Relaxed);
        searches_in_vain(&mut member, Incomplete::Cancelled);
    };
    together(waits, &[late]);
}
