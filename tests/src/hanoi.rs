//! A small reader of the Hanoi Omega-Automata format: Büchi acceptance on states, labels on edges. It
//! accepts what the format's grammar allows of that and nothing else.

use stubborn_ltl::{Buchi, Cube, Edge, Guard, State};

/// An automaton with its names.
pub struct Read {
    /// The automaton's name.
    pub name: String,
    /// The names of its propositions.
    pub propositions: Vec<String>,
    /// The automaton.
    pub automaton: Buchi,
}

/// Reads an automaton. The error says what is not as it should be.
pub fn read(text: &str) -> Result<Read, String> {
    let (header, body) = text.split_once("--BODY--\n").ok_or("there is no body")?;
    let body = body.strip_suffix("--END--\n").ok_or("the body does not end")?;
    let mut fields = Vec::new();
    for line in header.lines() {
        fields.push(line.split_once(": ").ok_or_else(|| format!("`{line}` is no field"))?);
    }
    if fields.first() != Some(&("HOA", "v1")) {
        return Err("it does not begin with its version".into());
    }
    let field = |name: &str| {
        let mut found = fields.iter().filter(|(known, _)| *known == name).map(|(_, value)| *value);
        match (found.next(), found.next()) {
            (Some(value), None) => Ok(value),
            _ => Err(format!("`{name}` is not there exactly once")),
        }
    };
    if (field("acc-name")?, field("Acceptance")?) != ("Buchi", "1 Inf(0)") {
        return Err("the acceptance is not Büchi's".into());
    }
    let n_states = number(field("States")?)?;
    let initial = number(field("Start")?)?;
    let (n_propositions, names) = field("AP")?.split_once(' ').unwrap_or((field("AP")?, ""));
    let propositions = strings(names)?;
    if number(n_propositions)? != propositions.len() {
        return Err("the number of propositions is wrong".into());
    }
    let name = strings(field("name")?)?.pop().ok_or("there is no name")?;
    let states = states(body, propositions.len())?;
    let targets = states.iter().flat_map(|state| &state.edges).map(|edge| edge.target);
    if states.len() != n_states || targets.chain([initial]).any(|target| target >= n_states) {
        return Err("the number of states is wrong".into());
    }
    Ok(Read { name, propositions, automaton: Buchi { initial, states } })
}

fn states(body: &str, n_propositions: usize) -> Result<Vec<State>, String> {
    let mut states: Vec<State> = Vec::new();
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("State: ") {
            let (id, accepting) = match rest.strip_suffix(" {0}") {
                Some(id) => (id, true),
                None => (rest, false),
            };
            if number(id)? != states.len() {
                return Err(format!("state {id} is out of order"));
            }
            states.push(State { accepting, edges: Vec::new() });
            continue;
        }
        let rest = line.strip_prefix('[').ok_or_else(|| format!("`{line}` has no label"))?;
        let (label, target) = rest.split_once("] ").ok_or_else(|| format!("`{line}` has no target"))?;
        let edge = Edge { guard: guard(label, n_propositions)?, target: number(target)? };
        states.last_mut().ok_or("an edge before the first state")?.edges.push(edge);
    }
    Ok(states)
}

fn guard(label: &str, n_propositions: usize) -> Result<Guard, String> {
    let mut cubes = Vec::new();
    for part in label.split(" | ") {
        let mut cube = Cube::default();
        for literal in part.split('&').filter(|&literal| literal != "t") {
            let (set, proposition) = match literal.strip_prefix('!') {
                Some(proposition) => (&mut cube.negative, proposition),
                None => (&mut cube.positive, literal),
            };
            let proposition = number(proposition)?;
            if proposition >= n_propositions {
                return Err(format!("there is no proposition {proposition}"));
            }
            *set |= 1 << proposition;
        }
        cubes.push(cube);
    }
    Ok(Guard { cubes })
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

/// Quoted strings with a blank between them.
fn strings(text: &str) -> Result<Vec<String>, String> {
    let mut strings = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        if first != '"' {
            return Err(format!("`{text}` is not a list of strings"));
        }
        let mut string = String::new();
        loop {
            match chars.next() {
                Some('"') => break,
                Some('\\') => string.extend(chars.next()),
                Some(c) => string.push(c),
                None => return Err(format!("a string in `{text}` does not end")),
            }
        }
        strings.push(string);
        if chars.next_if_eq(&' ').is_none() && chars.peek().is_some() {
            return Err(format!("no blank between the strings in `{text}`"));
        }
    }
    Ok(strings)
}
