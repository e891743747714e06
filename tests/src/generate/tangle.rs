//! Random models that are all cycles and conflicts: a few processes, each a small automaton over shared bits.
//!
//! What the other generator makes of the whole language, this one makes of interleavings: most steps
//! change something that others look at, and most locations can be reached again.

use std::fmt::Write;

use super::random::Random;

/// The text of the model of a seed.
pub fn tangle(seed: u64) -> String {
    write(seed, false)
}

/// The same with much that waits for `timeout`.
pub fn tangle_of_timeouts(seed: u64) -> String {
    write(seed, true)
}

fn write(seed: u64, timeouts: bool) -> String {
    let mut random = Random::new(seed ^ 0x7461_6e67);
    let n_bits = 2 + random.below(3);
    let n_processes = 2 + random.below(3);
    let mut text = String::from("chan c = [1] of { bit };\n");
    for bit in 0..n_bits {
        let _ = writeln!(text, "bit b{bit};");
    }
    for process in 0..n_processes {
        let n_locations = 1 + random.below(3);
        let _ = writeln!(text, "active proctype P{process}() {{\n  bit l;");
        for location in 0..n_locations {
            let _ = writeln!(text, "L{location}:\n  if");
            for _ in 0..1 + random.below(3) {
                let statement = statement(&mut random, n_bits, timeouts);
                let target = random.below(n_locations + 1);
                let target = if target == n_locations { "Last".to_owned() } else { format!("L{target}") };
                let _ = writeln!(text, "  :: {statement}; goto {target}");
            }
            let _ = writeln!(text, "  fi;");
        }
        let _ = writeln!(text, "Last:\n  skip\n}}");
    }
    text
}

fn statement(random: &mut Random, n_bits: usize, timeouts: bool) -> String {
    let mut bit = |n: usize| random.below(n);
    let (a, b, value) = (bit(n_bits), bit(n_bits), bit(2));
    match bit(20) {
        0..=9 if timeouts => format!("timeout -> b{a} = {value}"),
        0..=4 => format!("b{a} = {value}"),
        5..=7 => format!("(b{a} == {value}) -> b{b} = 1 - b{b}"),
        8 | 9 => format!("(b{a} == {value})"),
        10..=13 => "l = 1 - l".to_owned(),
        14 => format!("(l == {value}) -> b{a} = {value}"),
        15 => format!("c!{value}"),
        16 => "c?l".to_owned(),
        17 => format!("assert(b{a} == {value} || l == {value})"),
        18 => format!("timeout -> b{a} = {value}"),
        _ => format!("atomic {{ (b{a} == {value}) -> b{a} = 1 - b{a}; b{b} = l }}"),
    }
}
