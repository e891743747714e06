//! A state graph as a drawing.

use std::fmt::Write;

use stubborn_check::graph::{Drawing, Line, Point, layered};
use stubborn_check::{Graph, GraphEdge, GraphState, GraphTarget, Reduction, StateKind};

use super::told;
use crate::model::Source;

/// More than so many states, or lines, are no picture any more.
const MAX_STATES: usize = 400;
const MAX_LINES: usize = 1600;
/// Characters of a label's line, and lines of a label.
const LONG: usize = 34;
const HIGH: usize = 6;
/// Sizes in pixels.
const RADIUS: f64 = 15.0;
const CHAR: f64 = 5.6;
const LINE: f64 = 12.0;
const MARGIN: f64 = 30.0;
const LEGEND: f64 = 34.0;

const STYLE: &str = "text{font:10px Helvetica,Arial,sans-serif;fill:#334155;text-anchor:middle}\
    .n circle{fill:#fff;stroke:#334155;stroke-width:1.3}.n text{font-size:11px}.n.full circle{fill:#bfdbfe}\
    .n .in{fill:none!important}.n.dead circle,.stop rect{stroke:#dc2626}.n.dead text,.stop text{fill:#dc2626}\
    .n.out circle{stroke-dasharray:3 2;stroke:#94a3b8}.n.out text{fill:#94a3b8}\
    .stop rect{fill:#fff;stroke-width:1.3}\
    .e path{fill:none;stroke:#64748b}.e.out path{stroke-dasharray:4 3;stroke:#94a3b8}\
    .e.out text{fill:#94a3b8}.e.fails path{stroke:#dc2626;stroke-width:1.6}.e.fails text{fill:#dc2626}\
    .e text{paint-order:stroke;stroke:#fff;stroke-width:3px}.key{text-anchor:start}";

/// A node of the drawing.
enum Node<'a> {
    State(usize, &'a GraphState),
    /// The end of a run that leads to no state.
    Nowhere(String),
}

impl Node<'_> {
    fn size(&self) -> Point {
        match self {
            Node::State(..) => (2.0 * RADIUS, 2.0 * RADIUS),
            Node::Nowhere(text) => (text.chars().count() as f64 * CHAR + 12.0, 22.0),
        }
    }
}

/// Edges between the same nodes that look the same, as one line.
struct Bundle<'a> {
    from: usize,
    to: usize,
    edges: Vec<&'a GraphEdge>,
}

impl Bundle<'_> {
    fn class(&self) -> &'static str {
        match (self.edges[0].fails, self.edges[0].is_taken) {
            (true, _) => "e fails",
            (false, true) => "e",
            (false, false) => "e out",
        }
    }

    /// What is written at it.
    fn label(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.edges.iter().flat_map(|edge| &edge.steps).map(|step| shortened(step)).collect();
        if lines.len() > HIGH {
            let n_left_out = lines.len() - HIGH + 1;
            lines.truncate(HIGH - 1);
            lines.push(format!("… {n_left_out} more"));
        }
        lines
    }
}

/// What `stubborn graph --format svg` writes. Fails if there is too much to draw.
pub(crate) fn text(source: &Source, graph: &Graph) -> Result<String, String> {
    let mut nodes: Vec<Node<'_>> =
        graph.states.iter().enumerate().map(|(number, state)| Node::State(number, state)).collect();
    let bundles = bundles(graph, &mut nodes);
    if nodes.len() > MAX_STATES || bundles.len() > MAX_LINES {
        return Err(format!(
            "{} states and {} edges are too much for a drawing: ask for fewer with --max, or use --format dot",
            graph.states.len(),
            graph.edges.len()
        ));
    }
    let sizes: Vec<Point> = nodes.iter().map(Node::size).collect();
    let lines: Vec<Line> = bundles
        .iter()
        .map(|bundle| Line { from: bundle.from, to: bundle.to, label: size_of(&bundle.label()) })
        .collect();
    let drawing = layered(&sizes, &lines);
    let is_reduced = graph.strategy.plan.reduction != Reduction::None;
    Ok(drawn(source, &nodes, &bundles, &drawing, is_reduced))
}

fn bundles<'a>(graph: &'a Graph, nodes: &mut Vec<Node<'_>>) -> Vec<Bundle<'a>> {
    let mut bundles: Vec<Bundle<'a>> = Vec::new();
    for edge in &graph.edges {
        let to = match edge.to {
            GraphTarget::State(to) => to,
            GraphTarget::Error(kind) => nowhere(nodes, kind.to_string()),
            GraphTarget::Endless => nowhere(nodes, "for ever".to_owned()),
        };
        let looks = |other: &GraphEdge| (other.fails, other.is_taken) == (edge.fails, edge.is_taken);
        match bundles.iter_mut().find(|b| (b.from, b.to) == (edge.from, to) && looks(b.edges[0])) {
            Some(bundle) => bundle.edges.push(edge),
            None => bundles.push(Bundle { from: edge.from, to, edges: vec![edge] }),
        }
    }
    bundles
}

fn nowhere(nodes: &mut Vec<Node<'_>>, why: String) -> usize {
    nodes.push(Node::Nowhere(why));
    nodes.len() - 1
}

fn drawn(
    source: &Source,
    nodes: &[Node<'_>],
    bundles: &[Bundle<'_>],
    drawing: &Drawing,
    is_reduced: bool,
) -> String {
    let (width, height) =
        ((drawing.size.0 + 2.0 * MARGIN).max(560.0), drawing.size.1 + 2.0 * MARGIN + LEGEND);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#475569\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n",
        escaped(&source.path)
    );
    for (i, bundle) in bundles.iter().enumerate() {
        let path = match bundle.from == bundle.to {
            true => around(drawing.nodes[bundle.from], drawing.labels[i], size_of(&bundle.label())),
            false => way(&drawing.ways[i], nodes[bundle.from].size(), nodes[bundle.to].size()),
        };
        let full: Vec<String> = bundle.edges.iter().map(|edge| edge.steps.join("\n")).collect();
        let _ = write!(
            svg,
            "<g class=\"{}\"><title>{}</title><path d=\"{path}\" marker-end=\"url(#arrow)\"/>",
            bundle.class(),
            escaped(&full.join("\n"))
        );
        written(&mut svg, drawing.labels[i], &bundle.label());
        svg += "</g>\n";
    }
    for (node, &at) in nodes.iter().zip(&drawing.nodes) {
        draw_node(&mut svg, source, node, at, is_reduced);
    }
    svg += "</g>\n";
    legend(&mut svg, height, is_reduced);
    svg + "</svg>\n"
}

fn draw_node(svg: &mut String, source: &Source, node: &Node<'_>, (x, y): Point, is_reduced: bool) {
    match node {
        Node::State(number, state) => {
            if *number == 0 {
                let top = y - RADIUS;
                let _ = writeln!(
                    svg,
                    "<g class=\"e\"><path d=\"M{x:.1} {:.1}V{top:.1}\" marker-end=\"url(#arrow)\"/></g>",
                    top - 18.0
                );
            }
            let mut class = String::from("n");
            class += if state.kind == StateKind::Deadlock { " dead" } else { "" };
            class += if !state.is_visited { " out" } else { "" };
            class += if is_reduced && state.is_visited && state.is_full { " full" } else { "" };
            let title = escaped(&told(&source.sources, state).join("\n"));
            let _ = write!(
                svg,
                "<g class=\"{class}\" id=\"s{number}\"><title>{title}</title>\
                 <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>"
            );
            if state.kind != StateKind::Alive {
                let inner = RADIUS - 3.0;
                let _ = write!(svg, "<circle class=\"in\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{inner}\"/>");
            }
            let more = if state.is_cut { "…" } else { "" };
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\">{number}{more}</text></g>", y + 4.0);
        }
        Node::Nowhere(why) => {
            let (width, height) = node.size();
            let _ = writeln!(
                svg,
                "<g class=\"stop\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height}\" \
                 rx=\"3\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
                x - width / 2.0,
                y - height / 2.0,
                y + 3.5,
                escaped(why)
            );
        }
    }
}

/// A line of text under each other, in the middle of a place.
fn written(svg: &mut String, (x, y): Point, lines: &[String]) {
    let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 3.5;
    for (i, line) in lines.iter().enumerate() {
        let _ =
            write!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", first + i as f64 * LINE, escaped(line));
    }
}

/// A smooth line through points, from the rim of the first to the rim of the last.
fn way(points: &[Point], from: Point, to: Point) -> String {
    let mut points = points.to_vec();
    let n = points.len();
    points[0].1 += if points[1].1 > points[0].1 { from.1 } else { -from.1 } / 2.0;
    points[n - 1].1 += if points[n - 2].1 > points[n - 1].1 { to.1 } else { -to.1 } / 2.0;
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let half = (y0 + y1) / 2.0;
        let _ = write!(path, "C{x0:.1} {half:.1} {x1:.1} {half:.1} {x1:.1} {y1:.1}");
    }
    path
}

/// From a node to itself, by its label.
fn around((x, y): Point, label: Point, size: Point) -> String {
    let (right, left) = (x + RADIUS - 2.0, label.0 - size.0 / 2.0 - 2.0);
    let (top, bottom) = (y - 7.0, y + 7.0);
    format!("M{right:.1} {top:.1}C{left:.1} {:.1} {left:.1} {:.1} {right:.1} {bottom:.1}", y - 26.0, y + 26.0)
}

fn size_of(lines: &[String]) -> Point {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    (longest as f64 * CHAR, lines.len() as f64 * LINE)
}

fn shortened(step: &str) -> String {
    if step.chars().count() <= LONG {
        return step.to_owned();
    }
    step.chars().take(LONG - 1).chain(['…']).collect()
}

/// What the looks mean.
fn legend(svg: &mut String, height: f64, is_reduced: bool) {
    let mut keys = vec![("n", true, "end"), ("n dead", true, "deadlock")];
    if is_reduced {
        keys.push(("n full", false, "fully expanded"));
        keys.push(("n out", false, "left out"));
    }
    let y = height - LEGEND / 2.0;
    for (i, (class, doubled, what)) in keys.into_iter().enumerate() {
        let x = MARGIN + i as f64 * 130.0;
        let _ = write!(svg, "<g class=\"{class}\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\"/>");
        if doubled {
            let _ = write!(svg, "<circle class=\"in\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\"/>");
        }
        let _ =
            writeln!(svg, "<text class=\"key\" x=\"{:.1}\" y=\"{:.1}\">{what}</text></g>", x + 14.0, y + 4.0);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
