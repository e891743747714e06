//! What is laid out, and what stays as it is.

use super::format;
use crate::corpus::corpus;

#[track_caller]
fn lays_out(before: &str, after: &str) {
    let found = format(before).expect("it has no errors");
    assert_eq!(found, after);
    assert_eq!(format(&found).as_deref(), Some(after), "twice");
}

#[test]
fn spaces_and_indentation() {
    lays_out(
        "n(N:=3){
type t:range -1..N  ;   // last
  place p{dom:t*t;init:for(i in t)<(i,- 1)>;}


    transition u
    {
      in  { p : <( x,y )>; }
      out { p:<( x+1 , f(x)?y:-y )>; }
  guard:x<1
        and y->1=x'size;
  }
#ifdef X
    odd   text
#endif
proposition q:forall(t in p|t->1=1:p'card>0);
}
",
        "n(N := 3) {
   type t: range -1 .. N;   // last
   place p { dom: t * t; init: for(i in t) <(i, -1)>; }

   transition u
   {
      in  { p : <( x, y )>; }
      out { p: <( x + 1, f(x) ? y : -y )>; }
      guard: x < 1
            and y->1 = x'size;
   }
#ifdef X
    odd   text
#endif
   proposition q: forall(t in p|t->1 = 1 : p'card > 0);
}
",
    );
}

#[test]
fn comments_and_strings_stay() {
    lays_out(
        "n {
 /*
  *  what
    it is
  */
   function f () -> int {
for (i in t)
   if (x)
      y := 1;
 description: \"a
 b\";
 return 1; /* odd */ }
}",
        "n {
   /*
    *  what
      it is
    */
   function f () -> int {
      for (i in t)
         if (x)
            y := 1;
      description: \"a
 b\";
      return 1; /* odd */ }
}
",
    );
}

#[test]
fn errors_stand_in_the_way() {
    for text in ["n { ", "n } {", "n { /* }", "n { \" }", "n { @ }"] {
        assert_eq!(format(text), None, "{text}");
    }
    assert_eq!(format("").as_deref(), Some(""));
}

#[test]
fn real_nets_stay_what_they_are() {
    for (path, text) in corpus() {
        let once = format(&text).unwrap_or_else(|| panic!("{}", path.display()));
        assert_eq!(format(&once).as_deref(), Some(&*once), "{}", path.display());
    }
}
