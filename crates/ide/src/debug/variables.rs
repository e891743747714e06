//! Values in a state as trees: arrays with their elements, structures with their fields, channels with their messages.
//!
//! The scalars of a model are named as in expressions, such as `a[2].f`; the trees are what these names say.

use stubborn_check::simulation::Simulation;
use stubborn_ir::{Contents, InstanceId, Model, Net, NetPlace, SlotType, Value};

/// Something with a value, or with parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its name inside of what it is a part of, such as `f` or `[2]`.
    pub name: String,
    /// Its value; of something with parts, a short form of theirs.
    pub value: String,
    /// An expression for it, if there is one.
    pub expression: Option<String>,
    /// Its parts.
    pub parts: Vec<Node>,
}

impl Node {
    /// Something without parts and without an expression.
    pub fn plain(name: impl Into<String>, value: impl Into<String>) -> Self {
        Node { name: name.into(), value: value.into(), expression: None, parts: Vec::new() }
    }

    /// Whether its parts are elements with numbers.
    pub fn is_array(&self) -> bool {
        self.parts.first().is_some_and(|part| part.name.starts_with('['))
    }
}

/// The variables of a process that exists, or the global ones.
pub fn variables(model: &Model, run: &Simulation<'_>, owner: Option<InstanceId>) -> Vec<Node> {
    if let (Some(net), None) = (&model.net, owner) {
        return places(net, run.state());
    }
    let mut roots = Vec::new();
    for (name, ty, value) in run.layout().variables(model, run.state(), owner) {
        // A channel's own variable says nothing but its name; its contents are shown with the channels.
        let is_own_name =
            matches!(&value, Value::Text(text) if text.rsplit(':').next() == Some(name.as_str()));
        if ty != SlotType::Chan || !is_own_name {
            insert(&mut roots, &name, &name, &value);
        }
    }
    roots.iter_mut().for_each(summarize);
    tell_apart(&mut roots);
    roots
}

/// The places of a net with their tokens.
fn places(net: &Net, state: &[u8]) -> Vec<Node> {
    let marking = net.marking(state);
    let node = |(place, tokens): (&NetPlace, &Vec<(u32, i32)>)| {
        let part = |&(token, count): &(u32, i32)| Node::plain(&*place.token_name(token), count.to_string());
        let parts = if place.is_plain() { Vec::new() } else { tokens.iter().map(part).collect() };
        Node {
            parts,
            expression: Some(place.name.to_string()),
            ..Node::plain(&*place.name, place.show(tokens))
        }
    };
    net.places.iter().zip(&marking.0).map(node).collect()
}

/// Variables of several blocks may have one name; what it means depends on where one asks.
fn tell_apart(roots: &mut [Node]) {
    for i in 0..roots.len() {
        let name = roots[i].name.clone();
        let mut n = 1;
        for other in &mut roots[i + 1..] {
            if other.name == name {
                n += 1;
                other.name = format!("{name} ({n})");
                forget_expressions(other);
            }
        }
        if n > 1 {
            forget_expressions(&mut roots[i]);
        }
    }
}

fn forget_expressions(node: &mut Node) {
    node.expression = None;
    node.parts.iter_mut().for_each(forget_expressions);
}

/// The channels that a process that exists created, or the global ones.
pub fn channels(model: &Model, run: &Simulation<'_>, owner: Option<InstanceId>) -> Vec<Node> {
    run.layout().channels(model, run.state(), owner).iter().map(channel).collect()
}

/// What changed between two states.
pub fn changes(model: &Model, run: &Simulation<'_>, before: &[u8]) -> Vec<Node> {
    let size = run.layout().size();
    let padded = |state: &[u8]| {
        let mut state = state.to_vec();
        state.resize(size.max(state.len()), 0);
        state
    };
    let changes = run.layout().changes(model, &padded(before), &padded(run.state()));
    changes
        .iter()
        .map(|change| Node::plain(&*change.name, format!("{} → {}", change.from, change.to)))
        .collect()
}

/// The part with a path such as `a[2].f` in some trees.
pub fn find<'n>(nodes: &'n [Node], path: &str) -> Option<&'n Node> {
    let (head, rest) = split(path);
    let node = nodes.iter().find(|node| node.name == head)?;
    if rest.is_empty() { Some(node) } else { find(&node.parts, rest) }
}

/// The first name or index of a path, and what comes after it.
fn split(path: &str) -> (&str, &str) {
    let end = match path.strip_prefix('[') {
        Some(_) => path.find(']').map_or(path.len(), |at| at + 1),
        None => path.find(['[', '.']).unwrap_or(path.len()),
    };
    (&path[..end], path[end..].strip_prefix('.').unwrap_or(&path[end..]))
}

fn insert(nodes: &mut Vec<Node>, path: &str, whole: &str, value: &Value) {
    let (head, rest) = split(path);
    let expression = whole[..whole.len() - rest.len()].trim_end_matches('.').to_owned();
    // Parts come one after the other, and each comes once.
    let is_part = |node: &Node| node.name == head && !rest.is_empty() && find(&node.parts, rest).is_none();
    if !nodes.last().is_some_and(is_part) {
        nodes.push(Node { expression: Some(expression), ..Node::plain(head, "") });
    }
    let Some(node) = nodes.last_mut() else { return };
    if rest.is_empty() {
        node.value = value.to_string();
    } else {
        insert(&mut node.parts, rest, whole, value);
    }
}

fn summarize(node: &mut Node) {
    if node.parts.is_empty() {
        return;
    }
    node.parts.iter_mut().for_each(summarize);
    let is_array = node.is_array();
    let part = |part: &Node| match is_array {
        true => part.value.clone(),
        false => format!("{} = {}", part.name, part.value),
    };
    let parts = shorten(node.parts.iter().map(part));
    node.value = if is_array { format!("[{parts}]") } else { format!("{{{parts}}}") };
}

/// A list that fits on a line.
fn shorten(parts: impl Iterator<Item = String>) -> String {
    const LONG: usize = 80;
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push_str(", ");
        }
        if text.len() + part.len() > LONG {
            text.push('…');
            break;
        }
        text.push_str(&part);
    }
    text
}

fn channel(contents: &Contents) -> Node {
    let Contents { name, capacity, messages } = contents;
    if *capacity == 0 {
        return Node::plain(&**name, "rendezvous");
    }
    let parts: Vec<Node> = messages.iter().enumerate().map(|(i, fields)| message(i, fields)).collect();
    let shown = shorten(parts.iter().map(|part| format!("[{}]", part.value)));
    let value = format!("{} of {capacity}", messages.len());
    let value = if shown.is_empty() { value } else { format!("{value}: {shown}") };
    Node { parts, ..Node::plain(&**name, value) }
}

fn message(index: usize, fields: &[Value]) -> Node {
    let name = format!("[{index}]");
    let texts: Vec<String> = fields.iter().map(Value::to_string).collect();
    let parts = match texts.len() {
        0 | 1 => Vec::new(),
        _ => {
            texts.iter().enumerate().map(|(i, text)| Node::plain(format!("field {}", i + 1), text)).collect()
        }
    };
    Node { parts, ..Node::plain(name, texts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees(names: &[&str]) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (i, name) in names.iter().enumerate() {
            insert(&mut nodes, name, name, &Value::Number(i as i32));
        }
        nodes.iter_mut().for_each(summarize);
        tell_apart(&mut nodes);
        nodes
    }

    fn shown(nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|n| format!("{} {}", n.name, n.value)).collect()
    }

    #[test]
    fn one_name_in_several_blocks() {
        let nodes = trees(&["i", "i", "a[0]", "a[1]", "a[0]", "a[1]", "i"]);
        assert_eq!(shown(&nodes), ["i 0", "i (2) 1", "a [2, 3]", "a (2) [4, 5]", "i (3) 6"]);
        assert!(nodes.iter().all(|node| node.expression.is_none()));
    }

    #[test]
    fn names_make_trees() {
        let nodes = trees(&["x", "a[0]", "a[1]", "t.f", "t.u[0].g", "t.u[1].g", "y"]);
        assert_eq!(shown(&nodes), ["x 0", "a [1, 2]", "t {f = 3, u = [{g = 4}, {g = 5}]}", "y 6"]);
        let g = find(&nodes, "t.u[1].g").unwrap();
        assert_eq!((g.value.as_str(), g.expression.as_deref()), ("5", Some("t.u[1].g")));
        assert_eq!(find(&nodes, "t.u").unwrap().expression.as_deref(), Some("t.u"));
        assert_eq!(find(&nodes, "t.v"), None);
    }
}
