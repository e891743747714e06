//! Pictures of what was measured: how many times as fast as SPIN, and how times grow with N.

use std::fmt::Write as _;

use super::programs::Program;
use super::record::Row;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const LINE: f64 = 20.0;
/// Right of lines, for what they are.
const ROOM: f64 = 160.0;

/// A bar for each benchmark that SPIN took part in; the scale is logarithmic, and to the right of 1 we are faster.
pub fn ratios(rows: &[Row]) -> String {
    let all: Vec<(&Row, f64)> =
        rows.iter().filter_map(|row| Some((row, row.ratio(Program::Spin)?))).collect();
    let most = all.iter().map(|(_, ratio)| ratio.log2()).fold(1.0, f64::max).ceil();
    let least = all.iter().map(|(_, ratio)| ratio.log2()).fold(-1.0, f64::min).floor();
    let x = |ratio: f64| LEFT + (ratio.log2() - least) / (most - least) * (WIDTH - LEFT - 60.0);
    let height = LINE * (all.len() as f64 + 3.0);
    let mut svg = begin(height, "Times as fast as SPIN");
    for power in least as i32..=most as i32 {
        let ratio = 2f64.powi(power);
        let at = x(ratio);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{LINE}\" y2=\"{:.1}\" stroke=\"{}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{ratio}</text>",
            height - LINE,
            if power == 0 { "#444" } else { "#ddd" },
            height - 5.0
        );
    }
    for (i, (row, ratio)) in all.iter().enumerate() {
        let y = LINE * (i as f64 + 1.5);
        let (from, to) = (x(1.0).min(x(*ratio)), x(1.0).max(x(*ratio)));
        let colour = if *ratio >= 1.0 { "#3a7d44" } else { "#b5482f" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} {}</text>\
             <rect x=\"{from:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{ratio:.2}</text>",
            LEFT - 6.0,
            y + 12.0,
            row.definition.name,
            row.definition.kind.name(),
            to - from,
            LINE - 5.0,
            to + 4.0,
            y + 12.0
        );
    }
    svg + "</svg>\n"
}

/// For each benchmark with several values of its parameter, seconds by value, of every program; the scale is logarithmic.
pub fn scaling(rows: &[Row]) -> String {
    let mut families: Vec<&str> = rows.iter().filter_map(family).collect();
    families.dedup();
    families.retain(|name| rows.iter().filter(|row| family(row) == Some(name)).count() > 1);
    let panel = 170.0;
    let mut svg = begin(panel * families.len() as f64 + LINE, "Seconds by N");
    for (at, name) in families.iter().enumerate() {
        let members: Vec<&Row> = rows.iter().filter(|row| family(row) == Some(name)).collect();
        draw_family(&mut svg, name, &members, panel * at as f64 + LINE);
    }
    svg + "</svg>\n"
}

fn family(row: &Row) -> Option<&str> {
    row.definition.n.and_then(|_| row.definition.name.split('/').next())
}

fn draw_family(svg: &mut String, name: &str, rows: &[&Row], top: f64) {
    let (height, bottom) = (120.0, top + 130.0);
    let seconds = rows.iter().flat_map(|row| row.all.iter().map(|runs| runs.seconds().log10()));
    let (least, most) = seconds.fold((f64::MAX, f64::MIN), |(a, b), s| (a.min(s), b.max(s)));
    let ns: Vec<u64> = rows.iter().filter_map(|row| row.definition.n).collect();
    let (Some(first), Some(last)) = (ns.first(), ns.last()) else { return };
    let x = |n: u64| LEFT + (n - first) as f64 / (last - first).max(1) as f64 * (WIDTH - LEFT - ROOM);
    let y = |s: f64| bottom - (s.log10() - least) / (most - least).max(0.001) * height;
    let _ = writeln!(svg, "<text x=\"4\" y=\"{:.1}\">{name}</text>", top + 20.0);
    for &n in &ns {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">N = {n}</text>",
            x(n),
            bottom + 16.0
        );
    }
    let mut labels = Vec::new();
    for (program, colour) in
        [(Program::Ours, "#3a7d44"), (Program::TwoThreads, "#7fbf86"), (Program::Spin, "#b5482f")]
    {
        let of = |row: &&Row| Some((row.definition.n?, row.of(program)?.seconds()));
        let points: Vec<(u64, f64)> = rows.iter().filter_map(of).collect();
        let Some((n, s)) = points.last().copied() else { continue };
        let line: Vec<String> = points.iter().map(|&(n, s)| format!("{:.1},{:.1}", x(n), y(s))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" "),
        );
        labels.push((y(s) + 4.0, x(n) + 6.0, colour, format!("{} {s:.2} s", program.name())));
    }
    // From the top down, none on top of another.
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = f64::MIN;
    for (wanted, x, colour, label) in labels {
        let y = wanted.max(free);
        free = y + 13.0;
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{label}</text>");
    }
}

fn begin(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"4\" y=\"14\" font-weight=\"bold\">{title}</text>\n"
    )
}
