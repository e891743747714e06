//! The chart, read as XML.

use roxmltree::{Document, Node};
use serde_json::Value;

use super::subjects::{SUBJECTS, list, told, trail};

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

#[test]
fn charts_are_drawn_as_they_are_told() {
    for (name, text, property) in SUBJECTS {
        let (drawn, told) = (trail(text, property, "svg").output, told(text, property));
        let document = Document::parse(&drawn).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        lifelines(name, root, &told);
        messages(name, root, &told);
        steps(name, root, &told);
        assert_eq!(of_class(root, "loop").count(), usize::from(told["cycle"] != 0), "{name}");
        assert_eq!(of_class(root, "verdict").count(), 1, "{name}");
        nothing_overlaps(name, root);
    }
}

fn of_class<'a>(root: Node<'a, 'a>, class: &str) -> impl Iterator<Item = Node<'a, 'a>> {
    let has =
        move |node: &Node<'a, 'a>| node.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == class));
    root.descendants().filter(move |node| has(node)).collect::<Vec<_>>().into_iter()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let value = node.attribute(name).unwrap_or_else(|| panic!("no {name} on {node:?}"));
    value.parse().unwrap_or_else(|_| panic!("{name} is {value}"))
}

/// Where lifelines are.
fn columns(root: Node<'_, '_>) -> Vec<f64> {
    of_class(root, "lifeline").map(|line| number(line, "x1")).collect()
}

/// One for each process, from where it is created to where it ends.
fn lifelines(name: &str, root: Node<'_, '_>, told: &Value) {
    let processes = list(told, "processes");
    let lines: Vec<_> = of_class(root, "lifeline").collect();
    assert_eq!(lines.len(), processes.len(), "{name}");
    let heads = of_class(root, "head").count();
    assert_eq!(heads, processes.len(), "{name}");
    let bottom = lines.iter().map(|&line| number(line, "y2")).fold(0.0, f64::max);
    let rows = rows(root);
    for (line, process) in lines.iter().zip(processes) {
        let top = process["created"].as_u64().map(|step| rows[step as usize]);
        let end = process["ended"].as_u64().map_or(bottom, |step| rows[step as usize]);
        assert!(top.is_none_or(|top| top == number(*line, "y1")), "{name}: {process}");
        assert_eq!(number(*line, "y2"), end, "{name}: {process}");
    }
    let created = processes.iter().filter(|process| process["created"].is_u64()).count();
    assert_eq!(of_class(root, "creation").count(), created, "{name}");
    let ended = processes.iter().filter(|process| process["ended"].is_u64()).count();
    assert_eq!(of_class(root, "end").count(), ended, "{name}");
}

/// Where steps are.
fn rows(root: Node<'_, '_>) -> Vec<f64> {
    let dot = |step: Node<'_, '_>| {
        let dot =
            step.children().find(|node| node.attribute("class") == Some("dot")).expect("a step has a dot");
        number(dot, "cy")
    };
    of_class(root, "step").map(dot).collect()
}

/// The process that makes a step.
fn life_of(told: &Value, step: usize, pid: &Value) -> usize {
    let is_alive = |process: &Value| {
        let (created, ended) = (process["created"].as_u64(), process["ended"].as_u64());
        process["pid"] == *pid
            && created.is_none_or(|at| at < step as u64)
            && ended.is_none_or(|at| at >= step as u64)
    };
    list(told, "processes").iter().position(is_alive).expect("a step of a process that exists")
}

/// One arrow for each, from the send to the receive.
fn messages(name: &str, root: Node<'_, '_>, told: &Value) {
    let messages = list(told, "messages");
    let arrows: Vec<_> = of_class(root, "message").collect();
    assert_eq!(arrows.len(), messages.len(), "{name}");
    let (columns, rows, steps) = (columns(root), rows(root), list(told, "steps"));
    for (arrow, message) in arrows.iter().zip(messages) {
        let sent = message["sent"].as_u64().expect("a step") as usize;
        let from = (columns[life_of(told, sent, &steps[sent]["pid"])], rows[sent]);
        let path = arrow.attribute("d").expect("an arrow has a path");
        let start = format!("M{:.1} {:.1}", from.0, from.1);
        assert!(path.starts_with(&start), "{name}: {message} begins at {start}, not at {path}");
        let class = match (message["received"].is_null(), message["received_later"].is_null()) {
            (true, true) => "message lost",
            (true, false) => "message onward",
            (false, _) => "message",
        };
        assert_eq!(arrow.attribute("class"), Some(class), "{name}: {message}");
        if let Some(received) = message["received"].as_u64().map(|step| step as usize) {
            let pid = if received == sent { &steps[sent]["partner"]["pid"] } else { &steps[received]["pid"] };
            let to = format!("{:.1} {:.1}", columns[life_of(told, received, pid)], rows[received]);
            assert!(path.ends_with(&to), "{name}: {message} ends at {to}, not at {path}");
        }
    }
}

fn steps(name: &str, root: Node<'_, '_>, told: &Value) {
    let steps = list(told, "steps");
    let drawn: Vec<_> = of_class(root, "step").collect();
    assert_eq!(drawn.len(), steps.len(), "{name}");
    assert!(rows(root).is_sorted(), "{name}");
    for (group, step) in drawn.iter().zip(steps) {
        let tip = group.children().find(|node| node.has_tag_name("title")).and_then(|title| title.text());
        let line = format!("line {}: ", step["line"]);
        assert!(tip.is_some_and(|tip| tip.contains(&line)), "{name}: {tip:?} does not tell {line}");
        let is_idle = group.attribute("class").is_some_and(|class| class.contains("idle"));
        assert_eq!(is_idle, step["matters"] == false, "{name}: {step:#}");
    }
}

/// Texts and boxes stand apart from each other, inside the drawing.
fn nothing_overlaps(name: &str, root: Node<'_, '_>) {
    let mut areas: Vec<(String, Area)> = Vec::new();
    for text in root.descendants().filter(|node| node.has_tag_name("text")) {
        let class = text.attribute("class").unwrap_or_default();
        let (x, y, length) = (number(text, "x"), number(text, "y"), number(text, "textLength"));
        let left = if ["name", "again"].contains(&class) { x - length / 2.0 } else { x };
        if class != "name" {
            areas.push((text.text().unwrap_or_default().to_owned(), [left, y - 9.0, left + length, y + 2.5]));
        }
    }
    for head in of_class(root, "head") {
        let rect = head.children().find(|node| node.has_tag_name("rect")).expect("a head has a box");
        let [x, y, w, h] = ["x", "y", "width", "height"].map(|side| number(rect, side));
        areas.push(("a head".to_owned(), [x, y, x + w, y + h]));
    }
    let (width, height) = (number(root, "width"), number(root, "height"));
    for (i, (text, area)) in areas.iter().enumerate() {
        let is_inside = area[0] >= 0.0 && area[1] >= 0.0 && area[2] <= width && area[3] <= height;
        assert!(is_inside, "{name}: `{text}` at {area:?} in {width} × {height}");
        for (other, there) in &areas[..i] {
            let is_apart =
                area[2] <= there[0] || there[2] <= area[0] || area[3] <= there[1] || there[3] <= area[1];
            assert!(is_apart, "{name}: `{text}` at {area:?} and `{other}` at {there:?}");
        }
    }
}
