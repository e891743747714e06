//! Elements of PNML, to be offered where one types.
//!
//! Reference: ISO/IEC 15909-2. Invariant: in the order of their letters.

use stubborn_base::outline::Keyword;

const fn form(word: &'static str, snippet: &'static str, help: &'static str) -> Keyword {
    Keyword { word, snippet: Some(snippet), help }
}

/// All of them.
pub static KEYWORDS: &[Keyword] = &[
    form("add", "<add>\n  <subterm>$1</subterm>\n  <subterm>$0</subterm>\n</add>", "A sum of multisets."),
    form("all", "<all><usersort declaration=\"${1:sort}\"/></all>", "Every value of a sort once."),
    form("and", "<and>\n  <subterm>$1</subterm>\n  <subterm>$0</subterm>\n</and>", "Both conditions hold."),
    form(
        "arc",
        "<arc id=\"${1:id}\" source=\"${2:from}\" target=\"${3:to}\"/>",
        "Joins a place and a transition; without an inscription it carries one token.",
    ),
    form(
        "condition",
        "<condition>\n  <text>$1</text>\n  <structure>$0</structure>\n</condition>",
        "What must hold of the variables of a transition.",
    ),
    form(
        "cyclicenumeration",
        "<cyclicenumeration>\n  <feconstant id=\"${1:id}\" name=\"${2:name}\"/>$0\n</cyclicenumeration>",
        "Names in order; the first follows the last.",
    ),
    form(
        "declaration",
        "<declaration>\n  <structure>\n    <declarations>\n      $0\n    </declarations>\n  </structure>\n</declaration>",
        "The sorts and variables of a net.",
    ),
    form("dotconstant", "<dotconstant/>", "The token that cannot be told from others."),
    form(
        "equality",
        "<equality>\n  <subterm>$1</subterm>\n  <subterm>$0</subterm>\n</equality>",
        "Both terms have the same value.",
    ),
    form(
        "finiteintrange",
        "<finiteintrange start=\"${1:0}\" end=\"${2:9}\"/>",
        "The numbers from one to another, both included.",
    ),
    form(
        "hlinitialMarking",
        "<hlinitialMarking>\n  <text>$1</text>\n  <structure>$0</structure>\n</hlinitialMarking>",
        "The tokens of a place at the beginning.",
    ),
    form(
        "hlinscription",
        "<hlinscription>\n  <text>$1</text>\n  <structure>$0</structure>\n</hlinscription>",
        "The tokens that an arc carries.",
    ),
    form(
        "initialMarking",
        "<initialMarking><text>${1:1}</text></initialMarking>",
        "How many tokens are in a place at the beginning.",
    ),
    form("inscription", "<inscription><text>${1:1}</text></inscription>", "How many tokens an arc carries."),
    form(
        "namedsort",
        "<namedsort id=\"${1:id}\" name=\"${2:name}\">\n  $0\n</namedsort>",
        "A sort: what tokens and variables can be.",
    ),
    form(
        "net",
        "<net id=\"${1:id}\" type=\"http://www.pnml.org/version-2009/grammar/${2:ptnet}\">\n  <page id=\"${3:page}\">\n    $0\n  </page>\n</net>",
        "A net; `ptnet` or `symmetricnet`.",
    ),
    form(
        "numberof",
        "<numberof>\n  <subterm><numberconstant value=\"${1:1}\"><positive/></numberconstant></subterm>\n  <subterm>$0</subterm>\n</numberof>",
        "A value so many times.",
    ),
    form("page", "<page id=\"${1:id}\">\n  $0\n</page>", "A part of a net."),
    form(
        "place",
        "<place id=\"${1:id}\">\n  <name><text>${1:id}</text></name>$0\n</place>",
        "A place, where tokens are.",
    ),
    form(
        "productsort",
        "<productsort>\n  <usersort declaration=\"${1:sort}\"/>\n  <usersort declaration=\"${2:sort}\"/>$0\n</productsort>",
        "Tuples of values.",
    ),
    form(
        "referencePlace",
        "<referencePlace id=\"${1:id}\" ref=\"${2:place}\"/>",
        "A place of another page, by another id.",
    ),
    form(
        "referenceTransition",
        "<referenceTransition id=\"${1:id}\" ref=\"${2:transition}\"/>",
        "A transition of another page, by another id.",
    ),
    form("subterm", "<subterm>$0</subterm>", "An operand."),
    form(
        "subtract",
        "<subtract>\n  <subterm>$1</subterm>\n  <subterm>$0</subterm>\n</subtract>",
        "A multiset without others, which must be in it.",
    ),
    form(
        "successor",
        "<successor><subterm>$0</subterm></successor>",
        "The next value, or the first after the last.",
    ),
    form(
        "transition",
        "<transition id=\"${1:id}\">\n  <name><text>${1:id}</text></name>$0\n</transition>",
        "A transition, which takes tokens and puts tokens.",
    ),
    form(
        "tuple",
        "<tuple>\n  <subterm>$1</subterm>\n  <subterm>$0</subterm>\n</tuple>",
        "A value of a product of sorts.",
    ),
    form("useroperator", "<useroperator declaration=\"${1:constant}\"/>", "A value of an enumeration."),
    form("usersort", "<usersort declaration=\"${1:sort}\"/>", "A declared sort."),
    form("variable", "<variable refvariable=\"${1:variable}\"/>", "The value of a variable."),
    form(
        "variabledecl",
        "<variabledecl id=\"${1:id}\" name=\"${2:name}\">\n  <usersort declaration=\"${3:sort}\"/>\n</variabledecl>",
        "A variable of transitions.",
    ),
];
