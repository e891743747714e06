//! Texts in a drawing: how wide they are, and how they are written.

/// Size of the letters.
pub(super) const FONT: f64 = 12.0;
/// Width of a letter of a monospaced font. Texts are drawn with their width given, so no font makes them wider.
const ADVANCE: f64 = 0.6 * FONT;

/// How wide a text is.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(columns).sum::<usize>() as f64 * ADVANCE
}

/// The beginning of a text, with an ellipsis where it is cut off.
pub(super) fn cut(text: &str, max: usize) -> String {
    if text.chars().map(columns).sum::<usize>() <= max {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += columns(*c);
        used <= max
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// East Asian letters and pictures are wide.
fn columns(c: char) -> usize {
    match u32::from(c) {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// A text as XML and HTML write it. Letters that they do not allow become spaces.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' | '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_they_are_too_wide() {
        assert_eq!(cut("x = 1", 5), "x = 1");
        assert_eq!(cut("x = 12", 5), "x = …");
        assert_eq!(cut("日本語", 5), "日本…");
        assert!(width(&cut("日本語日本語", 7)) <= width("1234567"));
    }

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(escaped("a<b && \"c\"\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot; ");
    }
}
