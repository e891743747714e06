//! Whatever the text, reading it ends, and nothing panics.

use std::path::Path;

use super::Nothing;
use crate::corpus::corpus;
use crate::outline::outline;
use crate::{format, read};

/// Numbers that look as if by chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

const NET: &str = "n (N := 2) { type t: range 1 .. N; type e: enum (a, b); type v: vector [t] of e;
    type l: list [nat] of t with capacity 3; type s: struct { t x; e y; }; constant v C := [a, b];
    function f (t x, l y) -> l { l z := y; for (i in t) { z := z & i; } if (x > 1) return z; else return y & x; }
    place p { dom: t * e; init: for (i in t) if (i > 1) <( i, b )>; capacity: 2; } place q { dom: l; init: <( empty )>; }
    transition u { in { p: <( i, k )>; q: <( m )>; } out { q: <( f(i, m) )>; } pick { w in t; } let { t h := i; }
        guard: k = C[h] and not m'full; priority: 1; }
    proposition z: exists (x in p | x->1 = 1 and forall (y in q : y->1'size > 0)); }
    state property o: reject z; accept deadlock; ltl property g: [] (z => <> not z);";

fn survives(text: &str) {
    let read = read(Path::new("n.lna"), text.into(), &Nothing, &[]);
    outline(&read.parsed, &read.sources);
    assert_eq!(read.net.is_some(), !read.diagnostics.iter().any(|d| d.is_error()), "{text}");
    for diagnostic in &read.diagnostics {
        let file = read.sources.file(diagnostic.span.file).text();
        assert!(file.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    if let Some(once) = format(text) {
        assert_eq!(format(&once).as_deref(), Some(&*once), "{text}");
    }
}

#[test]
fn mutilated_nets() {
    let mut chance = Chance(7);
    let pieces = [
        "{", "}", "(", ")", ";", ":", "<(", ")>", "place", "type", "in", "x", "1", "|", "'", "[", "-", "/*",
        "\"",
    ];
    let mut texts: Vec<String> = corpus().into_iter().map(|(_, text)| text.to_string()).collect();
    texts.retain(|text| text.is_ascii());
    texts.extend(std::iter::repeat_n(NET.to_owned(), 20));
    for text in texts {
        survives(&text);
        for _ in 0..20 {
            let mut text = text.clone();
            for _ in 0..=chance.below(4) {
                let at = chance.below(text.len());
                match chance.below(3) {
                    0 => text.insert_str(at, pieces[chance.below(pieces.len())]),
                    1 => text.truncate(at.max(text.len() / 2)),
                    _ => {
                        let end = (at + chance.below(12)).min(text.len());
                        text.replace_range(at..end, "");
                    }
                }
            }
            survives(&text);
        }
    }
}

#[test]
fn small_stacks_are_enough() {
    let deep = |n: usize, open: &str, close: &str| {
        format!(
            "n {{ function f (int x) -> int {{ return {}1{}; }} constant int A := f(1); }}",
            open.repeat(n),
            close.repeat(n)
        )
    };
    let texts = [
        deep(450, "(", ")"),
        deep(450, "-", ""),
        deep(450, "f(", ")"),
        deep(450, "1 + ", ""),
        "n { function f (int x) -> int { if (x > 0) { return 1 + f(x + 1); } return 2; } constant int A := f(1);
            place p { dom: epsilon; } proposition q: f(p'card) = 1; } ltl property x: [] q;"
            .to_owned(),
        "n { function f (int x) -> int return (x > 100) ? 1 : f(x + 1); place p { dom: epsilon; }
            proposition q: f(p'card) = 1; } ltl property x: [] q;"
            .to_owned(),
    ];
    let run = move || {
        for text in texts {
            let (_, outline) = crate::load_with_outline(Path::new("n.lna"), text.into(), &Nothing, &[]);
            assert!(!outline.symbols.is_empty());
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread");
    thread.join().expect("the stack is large enough");
}
