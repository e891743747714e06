//! Layout is held against models of all kinds: nothing but space changes, and a second time nothing does.

use super::format;
use crate::corpus::{Disk, corpus};
use crate::lexemes::lexemes;
use crate::load;
use crate::token::Kind;

fn check(text: &str, expected: &str) {
    let formatted = format(text).unwrap();
    assert_eq!(formatted, expected);
    keeps(text, &formatted);
}

/// What holds of every text and its layout.
fn keeps(text: &str, formatted: &str) {
    let tokens = |text: &str| -> Vec<String> {
        lexemes(text).into_iter().filter(|l| !l.is(Kind::Newline)).map(|l| l.text(text).to_owned()).collect()
    };
    assert_eq!(tokens(text), tokens(formatted));
    assert_eq!(format(formatted).as_deref(), Some(formatted));
}

#[test]
fn indentation() {
    check(
        "mtype={a,
b};


active proctype P( byte n ;chan c ) {
byte x=1 ,y;
/* a loop */
do
// first
::x<3&&c?[a]->x++ ;
if
::x>1->skip
::else
->
goto out
fi
:: atomic{ c!x,- 1;
x --
}
od;
out :x=( x+
2*( y ) );
   y = x +
1
}",
        "mtype = { a,
    b };

active proctype P(byte n; chan c) {
    byte x = 1, y;
    /* a loop */
    do
    // first
    :: x < 3 && c?[a] -> x++;
        if
        :: x > 1 -> skip
        :: else
            ->
            goto out
        fi
    :: atomic { c!x, -1;
            x--
        }
    od;
out: x = (x +
        2 * (y));
    y = x +
        1
}
",
    );
}

#[test]
fn space_between_tokens() {
    check(
        "init{q ! a ( b );q?<x ,y>;q??[ _ ];a[ i ].b=- 1;!x&&!( y );assert ( x!=2 );run P ( 1 );\
         for( i:0..3 ){skip};select(i : 1..2);x=(a->b:c);P@l;P[0]:x;mtype:m v;unsigned u:3;x=y-~z}
ltl p{[]( <>p->[]!q )&&(a<->b)&&X p U(q)}",
        "init { q!a(b); q?<x, y>; q??[_]; a[i].b = -1; !x && !(y); assert(x != 2); run P(1); for (i:0..3) { skip }; \
         select (i : 1..2); x = (a -> b:c); P@l; P[0]:x; mtype:m v; unsigned u:3; x = y - ~z }
ltl p { [](<>p -> []!q) && (a <-> b) && X p U(q) }
",
    );
}

#[test]
fn what_is_not_touched() {
    let text = "#define   a(x)   \\
  x  +1
  #if  0
byte  y;   /* two   words */     // end
#endif
/* one
      two */
c_code {  int  x;  }
";
    check(text, &text.replace("byte  y", "byte y"));
    check("\n\nbyte x;\r\n\r\n\r\nbyte y;", "byte x;\r\n\r\nbyte y;\r\n");
    check("byte x;\r\n'\r\n", "byte x;\r\n'\r\n");
    let notes = "init {\n#ifdef NOTES\n  If  it  does:  if \"so\n#else\n    skip\n#endif\n}\n";
    check(notes, notes);
    check("// a \\\n\n\nbyte x;", "// a \\\n\n\nbyte x;\n");
    for broken in [
        "a \\",
        "\\ ",
        "a \\\t",
        "// a \\",
        ",/*/",
        "/* a",
        "printf(\"a",
        "init { skip",
        "init { if :: skip od }",
        "}",
    ] {
        assert_eq!(format(broken), None, "{broken}");
    }
}

/// Real models: the layout keeps every token, and the model means the same.
#[test]
fn the_corpus() {
    let mut refused = Vec::new();
    for (path, text) in corpus() {
        let Some(formatted) = format(&text) else {
            refused.push(path.display().to_string());
            continue;
        };
        keeps(&text, &formatted);
        let meaning = |text: &str| {
            let loaded = load(&path, text.into(), &Disk, &[]);
            let transitions = |m: stubborn_ir::Model| {
                let locations = m.processes.iter().flat_map(|p| &p.locations);
                locations.map(|l| l.transitions.len()).collect::<Vec<_>>()
            };
            let said: Vec<String> = loaded.diagnostics.into_iter().map(|d| d.message).collect();
            (said, loaded.model.map(transitions))
        };
        assert_eq!(meaning(&text), meaning(&formatted), "{}", path.display());
    }
    // Texts that are no models, or whose macros hold half a block.
    assert!(refused.len() <= 4, "refused: {}", refused.join("\n"));
}
