//! The language features a generated model can exercise, as a set that campaigns choose from.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

macro_rules! features {
    ($($variant:ident $name:literal $doc:literal),* $(,)?) => {
        /// A language feature that can be switched on and off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature { $(#[doc = $doc] $variant),* }

        impl Feature {
            /// All of them, in order.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant),*];

            /// The name campaigns use.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name),* }
            }
        }
    };
}

features! {
    Array "array" "Arrays, with constant and computed indices.",
    Assert "assert" "Assertions, some of which fail.",
    Atomic "atomic" "`atomic`, also around what may block.",
    BufferedChannel "buffered" "Channels with a capacity.",
    ChannelArray "channel-array" "Arrays of channels.",
    ChannelMessage "channel-message" "Channels sent in messages.",
    ChannelParameter "channel-parameter" "Channels as parameters.",
    Conditional "conditional" "Conditional expressions.",
    Else "else" "`else` options.",
    ElseIo "else-io" "`else` beside a send or a receive.",
    Enabled "enabled" "`enabled(pid)`.",
    EndLabel "end-label" "Valid end states.",
    For "for" "`for` over ranges, arrays and channels.",
    Goto "goto" "Labels and jumps.",
    GotoAtomic "goto-atomic" "Jumps out of and into `atomic`.",
    Inline "inline" "`inline` definitions.",
    Last "last" "`_last`.",
    LocalChannel "local-channel" "Channels owned by a process.",
    Macro "macro" "`#define`, object- and function-like.",
    MidDeclaration "mid-declaration" "Declarations after the first statement.",
    Mtype "mtype" "`mtype`, also named.",
    Narrow "narrow" "`unsigned` of a few bits.",
    NestedSelection "nested-selection" "A selection as the first statement of an option.",
    Poll "poll" "`?<>`, `??<>`, `?[]` and `??[]`.",
    Priority "priority" "Process priorities.",
    Probe "probe" "`len`, `full`, `empty`, `nfull`, `nempty`.",
    ProcessCount "process-count" "`_nr_pr` and `_pid`.",
    Provided "provided" "`provided` clauses.",
    RandomReceive "random-receive" "`??`.",
    Remote "remote" "References to labels and variables of other processes.",
    Rendezvous "rendezvous" "Channels of capacity zero.",
    Run "run" "Processes created at run time.",
    RunLate "run-late" "Processes created by processes other than `init`.",
    Select "select" "`select`.",
    Shadow "shadow" "Nested blocks whose variables hide outer ones.",
    SortedSend "sorted-send" "`!!`.",
    Step "d-step" "`d_step`.",
    Timeout "timeout" "`timeout`.",
    Typedef "typedef" "Structures, nested and in arrays.",
    Unless "unless" "`unless`, also nested.",
    Wrap "wrap" "Values at the edge of their type.",
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u64);

impl Features {
    /// No feature at all.
    pub const NONE: Features = Features(0);
    /// Every feature.
    pub const ALL: Features = Features((1 << Feature::ALL.len()) - 1);

    /// Just this one.
    pub fn of(feature: Feature) -> Self {
        Features(1 << feature as u32)
    }

    /// Whether the feature is in the set.
    pub fn has(self, feature: Feature) -> bool {
        self.0 & Features::of(feature).0 != 0
    }

    /// The features of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |&feature| self.has(feature))
    }

    /// Reads `all`, `none`, or names joined by commas; a leading `-` removes a name from everything.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let mut set = if names.first().is_some_and(|name| name.starts_with('-')) {
            Features::ALL
        } else {
            Features::NONE
        };
        for name in names {
            match name {
                "all" => set = Features::ALL,
                "none" => set = Features::NONE,
                _ => {
                    let bare = name.strip_prefix('-').unwrap_or(name);
                    let feature = Feature::ALL.iter().find(|feature| feature.name() == bare);
                    let one = Features::of(*feature.ok_or_else(|| format!("no feature is called `{bare}`"))?);
                    set = if name.starts_with('-') { set - one } else { set | one };
                }
            }
        }
        Ok(set)
    }
}

impl BitOr for Features {
    type Output = Features;

    fn bitor(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }
}

impl BitAnd for Features {
    type Output = Features;

    fn bitand(self, other: Features) -> Features {
        Features(self.0 & other.0)
    }
}

impl Sub for Features {
    type Output = Features;

    fn sub(self, other: Features) -> Features {
        Features(self.0 & !other.0)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Feature::name).collect();
        f.write_str(&names.join(","))
    }
}
