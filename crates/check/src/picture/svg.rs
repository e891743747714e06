//! A planned picture as SVG.

use std::fmt::Write;

use super::part::{Arc, Kind, Node, Part};
use super::plan::{BOX, MAX_NAME, RADIUS, TO_NAME, box_width, marking_letters};
use super::{Picture, cut};
use crate::graph::{Drawing, Point};

const MARGIN: f64 = 26.0;
/// Room above for what is said, and below for what is left out.
const HEAD: f64 = 34.0;
const FOOT: f64 = 22.0;
/// So many tokens are dots.
const MAX_DOTS: i64 = 5;
/// The radius of the circle at the end of an inhibitor arc.
const INHIBITOR: f64 = 4.0;

pub(super) fn text(picture: &Picture<'_>, part: &Part, drawing: &Drawing) -> String {
    let n_all = picture.net.places.len() + picture.net.transitions.len();
    let head = format!("{}{}", picture.title, if picture.caption.is_empty() { "" } else { ": " });
    let caption = cut(&picture.caption, 140);
    let left_out = match part.nodes.len() == n_all {
        true => String::new(),
        false => format!(
            "{} of {n_all} places and transitions are drawn: those around what is looked at",
            part.nodes.len()
        ),
    };
    let title = (picture.title.chars().count() as f64 * 8.5) as usize;
    let widest = (caption.chars().count().max(left_out.chars().count()) * 7).max(title);
    let width = (drawing.size.0 + 2.0 * MARGIN).max(widest as f64 + 2.0 * MARGIN).max(200.0);
    let foot = if left_out.is_empty() { 0.0 } else { FOOT };
    let height = drawing.size.1 + 2.0 * MARGIN + HEAD + foot;
    let (dx, dy) = ((width - drawing.size.0) / 2.0, MARGIN + HEAD);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net\" role=\"img\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\">\n<title>{}{}</title>\n<style>\n{}</style>\n\
         <defs><marker id=\"to\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path class=\"tip\" d=\"M0 0L10 5L0 10z\"/></marker>\
         <marker id=\"to-fired\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"6\" markerHeight=\"6\" \
         orient=\"auto-start-reverse\"><path class=\"tip-fired\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
         <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"22\">{}</text>\n",
        escaped(&head),
        escaped(&picture.caption),
        include_str!("style.css"),
        escaped(&picture.title),
    );
    if !caption.is_empty() {
        let _ = writeln!(svg, "<text class=\"caption\" x=\"{MARGIN}\" y=\"40\">{}</text>", escaped(&caption));
    }
    let _ = writeln!(svg, "<g transform=\"translate({dx:.1} {dy:.1})\">");
    let mut draw = Draw { picture, part, drawing, svg };
    (0..part.arcs.len()).for_each(|arc| draw.arc(arc));
    let (marking, enabled) = (picture.marking(), picture.enabled());
    for (i, node) in part.nodes.iter().enumerate() {
        match *node {
            Node::Place(p) => draw.place(p, &marking.0[p as usize], drawing.nodes[i]),
            Node::Transition(t) => draw.transition(t, enabled[t as usize], drawing.nodes[i]),
        }
    }
    let mut svg = draw.svg + "</g>\n";
    if !left_out.is_empty() {
        let y = height - 12.0;
        let _ = writeln!(svg, "<text class=\"note\" x=\"{MARGIN}\" y=\"{y:.1}\">{left_out}</text>");
    }
    svg + "</svg>\n"
}

struct Draw<'a, 'm> {
    picture: &'a Picture<'m>,
    part: &'a Part,
    drawing: &'a Drawing,
    svg: String,
}

impl Draw<'_, '_> {
    fn arc(&mut self, at: usize) {
        let Arc { from, to, kind, label } = &self.part.arcs[at];
        let way = &self.drawing.ways[at];
        let transition = [from, to].into_iter().find_map(|&node| match self.part.nodes[node] {
            Node::Transition(t) => Some(t),
            Node::Place(_) => None,
        });
        let is_fired = transition.is_some() && transition == self.picture.fired_transition();
        let mark = if is_fired { "to-fired" } else { "to" };
        let class = match (kind, is_fired) {
            (Kind::Inhibits, _) => "arc inhibits",
            (_, true) => "arc fired",
            (_, false) => "arc",
        };
        let ends = match kind {
            Kind::Both => format!(" marker-start=\"url(#{mark})\" marker-end=\"url(#{mark})\""),
            Kind::Takes | Kind::Puts => format!(" marker-end=\"url(#{mark})\""),
            Kind::Inhibits => String::new(),
        };
        let (path, end) = self.curve(way, *from, *to, *kind == Kind::Inhibits);
        let _ = write!(self.svg, "<g class=\"{class}\"><path d=\"{path}\"{ends}/>");
        if *kind == Kind::Inhibits {
            let (x, y) = end;
            let _ = write!(self.svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{INHIBITOR}\"/>");
        }
        if !label.is_empty() {
            let (x, y) = self.drawing.labels[at];
            let _ = write!(self.svg, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, escaped(label));
        }
        self.svg += "</g>\n";
    }

    /// A smooth line from rim to rim, and the middle of what stands at its end.
    fn curve(&self, way: &[Point], from: usize, to: usize, leaves_room: bool) -> (String, Point) {
        let mut points = way.to_vec();
        let n = points.len();
        points[0] = self.rim(from, way[0], way[1], 0.0);
        points[n - 1] = self.rim(to, way[n - 1], way[n - 2], if leaves_room { 2.0 * INHIBITOR } else { 0.0 });
        let end = self.rim(to, way[n - 1], way[n - 2], if leaves_room { INHIBITOR } else { 0.0 });
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let half = (y0 + y1) / 2.0;
            let _ = write!(path, "C{x0:.1} {half:.1} {x1:.1} {half:.1} {x1:.1} {y1:.1}");
        }
        (path, end)
    }

    /// Where a line leaves a node towards a point: above or below it, a little to the side of what is far away.
    fn rim(&self, node: usize, (x, y): Point, (to_x, to_y): Point, beyond: f64) -> Point {
        let down = if to_y > y { 1.0 } else { -1.0 };
        match self.part.nodes[node] {
            Node::Place(_) => {
                let aside = ((to_x - x) * 0.15).clamp(-RADIUS * 0.7, RADIUS * 0.7);
                let height = (RADIUS * RADIUS - aside * aside).max(0.0).sqrt();
                (x + aside, y + down * (height + beyond))
            }
            Node::Transition(t) => {
                let half = box_width(&self.picture.net.transitions[t as usize].name) / 2.0 - 5.0;
                let aside = ((to_x - x) * 0.25).clamp(-half, half);
                (x + aside, y + down * (BOX / 2.0 + beyond))
            }
        }
    }

    fn place(&mut self, p: u32, tokens: &[(u32, i32)], (x, y): Point) {
        let place = &self.picture.net.places[p as usize];
        let count: i64 = tokens.iter().map(|&(_, n)| i64::from(n)).sum();
        let shown = place.show(tokens);
        let class = match self.picture.changed_by(p) {
            0 => "place",
            1.. => "place more",
            _ => "place less",
        };
        let _ = write!(
            self.svg,
            "<g class=\"{class}\" id=\"p{p}\"><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>",
            escaped(&format!("{}: {shown}", place.name))
        );
        if count > MAX_DOTS || !place.is_plain() && count > 0 {
            let _ =
                write!(self.svg, "<text class=\"count\" x=\"{x:.1}\" y=\"{:.1}\">{count}</text>", y + 4.0);
        } else {
            for (dx, dy) in dots(count) {
                let (x, y) = (x + dx, y + dy);
                let _ = write!(self.svg, "<circle class=\"token\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.4\"/>");
            }
        }
        let left = x + RADIUS + TO_NAME;
        let name = escaped(&cut(&place.name, MAX_NAME));
        let has_list = !place.is_plain() && count > 0;
        let base = if has_list { y - 1.0 } else { y + 4.0 };
        let _ = write!(self.svg, "<text class=\"name\" x=\"{left:.1}\" y=\"{base:.1}\">{name}</text>");
        if has_list {
            let list = escaped(&cut(&shown, marking_letters(&place.name)));
            let _ = write!(
                self.svg,
                "<text class=\"marking\" x=\"{left:.1}\" y=\"{:.1}\">{list}</text>",
                y + 11.0
            );
        }
        self.svg += "</g>\n";
    }

    fn transition(&mut self, t: u32, is_enabled: bool, (x, y): Point) {
        let transition = &self.picture.net.transitions[t as usize];
        let is_fired = self.picture.fired_transition() == Some(t);
        let class = match (is_fired, is_enabled, transition.firings.is_empty()) {
            (true, _, _) => "transition fired",
            (_, true, _) => "transition enabled",
            (_, _, true) => "transition never",
            _ => "transition",
        };
        let width = box_width(&transition.name);
        let n = transition.firings.len();
        let state = if is_enabled { ", can fire" } else { "" };
        let title = format!("{}: {n} binding{}{state}", transition.name, if n == 1 { "" } else { "s" });
        let _ = writeln!(
            self.svg,
            "<g class=\"{class}\" id=\"t{t}\"><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
             height=\"{BOX}\" rx=\"2\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(&title),
            x - width / 2.0,
            y - BOX / 2.0,
            y + 4.0,
            escaped(&cut(&transition.name, MAX_NAME))
        );
    }
}

/// Where so many tokens lie in a place.
fn dots(n: i64) -> &'static [Point] {
    match n {
        1 => &[(0.0, 0.0)],
        2 => &[(-5.0, 0.0), (5.0, 0.0)],
        3 => &[(0.0, -5.0), (-5.0, 4.0), (5.0, 4.0)],
        4 => &[(-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0), (5.0, 5.0)],
        5 => &[(-6.0, -6.0), (6.0, -6.0), (-6.0, 6.0), (6.0, 6.0), (0.0, 0.0)],
        _ => &[],
    }
}

/// A text as XML writes it; letters that it does not allow become spaces.
fn escaped(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
