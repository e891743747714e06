//! A model as long as one likes, written as people write them: stations that pass requests on through channels, each
//! with variables, labels, choices, loops, an inline and a comment here and there. Its state space has no end that a
//! test would see.

use std::fmt::Write;

/// Lines of one station.
const LINES_PER_STATION: usize = 40;

/// A model of at least that many lines.
pub fn large_model(n_lines: usize) -> String {
    let n = n_lines.div_ceil(LINES_PER_STATION).max(2);
    let mut text = format!("{HEAD}#define N {n}\n");
    for i in 0..n {
        let _ = write!(text, "chan link{i} = [2] of {{ mtype, byte }};\nbyte level{i} = 0;\n");
    }
    for i in 0..n {
        station(&mut text, i, (i + 1) % n);
    }
    text.push_str("ltl bounded { [] (total < 200) }\n");
    text.push_str("ltl served { [] (level0 > 3 -> <> (level0 == 0)) }\n");
    text
}

const HEAD: &str = "\
/* Stations in a ring that pass requests on, take some, and answer others. */
mtype = { request, reply, cancel };
typedef Entry { byte owner; bool used };
Entry entries[4];
int total = 0;
bool busy = false;

inline add(amount) {
    atomic { total = (total + amount) % 100; busy = !busy }
}

";

fn station(text: &mut String, i: usize, next: usize) {
    let _ = write!(
        text,
        "
/* Station {i} takes from its own link and gives to the next. */
active proctype Station{i}() {{
    byte got, tries;
    mtype kind;
    bool done = false;
    link{next}!request({small});
idle:
    do
    :: link{i}?kind(got) ->
        if
        :: kind == request && got < 10 ->
            level{i} = (level{i} + 1) % 16;
            link{next}!reply(got)
        :: kind == reply ->
            tries = 0;
            add(1)
        :: kind == cancel ->
            goto idle
        :: else ->
            level{i} = 0
        fi
    :: nfull(link{next}) && tries < 5 ->
        tries++;
        link{next}!request(tries)
    :: tries > 3 ->
        d_step {{
            tries = 0;
            entries[{slot}].owner = _pid;
            entries[{slot}].used = !entries[{slot}].used
        }}
    :: level{next} > 12 && !done ->
        done = true;
        assert(level{next} <= 15)
    :: timeout -> break
    od;
    printf(\"station {i} is done\\n\")
}}
",
        small = i % 7,
        slot = i % 4,
    );
}
