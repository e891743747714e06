//! What is measured: one file each in `benchmarks/`, with prose, and with the answer that has to come out.

use std::path::PathBuf;

use toml::{Table, Value};

use crate::{corpus, workspace};

/// What a benchmark is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Visiting all states, without reduction.
    Explore,
    /// Visiting what a reduction leaves.
    Reduce,
    /// Deciding a formula, by all that it takes.
    Claim,
    /// Finding a violation.
    Find,
    /// From the text of a model to the verdict on it; SPIN translates and compiles it first.
    EditToVerdict,
    /// Finding a violation and making its trail shorter.
    Shorten,
}

/// The names of kinds, as they are written.
pub const KINDS: [(&str, Kind); 6] = [
    ("explore", Kind::Explore),
    ("reduce", Kind::Reduce),
    ("claim", Kind::Claim),
    ("find", Kind::Find),
    ("edit-to-verdict", Kind::EditToVerdict),
    ("shorten", Kind::Shorten),
];

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A benchmark.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name of its file, and of the value of its parameter.
    pub name: String,
    /// What is measured.
    pub kind: Kind,
    /// Why.
    pub why: String,
    /// The model, in the corpus or among ours.
    pub model: PathBuf,
    /// Whether it is one of ours.
    pub is_own: bool,
    /// The value of N, if it has one.
    pub n: Option<u64>,
    /// The property that is asked about, if it is one.
    pub property: Option<String>,
    /// What is said of it.
    pub verdict: String,
    /// How many states there are, where all have to be visited.
    pub states: Option<u64>,
    /// The most steps that a trail may have.
    pub steps: Option<u64>,
    /// More options of ours.
    pub options: Vec<String>,
    /// `pan -w` and `-m`, no larger than the model needs: `pan` pays for what it reserves. None leaves SPIN out.
    pub pan: Option<(u64, u64)>,
    /// Two threads are measured, too.
    pub threads: bool,
    /// Instructions are counted, too.
    pub instructions: bool,
    /// The order of our search with one thread, where states are counted.
    pub search: String,
    /// It takes so long that it is not run more often.
    pub rounds: Option<u64>,
}

/// All benchmarks, by name. The error says in which file something is wrong.
pub fn all() -> Result<Vec<Definition>, String> {
    let folder = workspace::file("benchmarks");
    let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"))?;
        found.extend(read(&name, &text).map_err(|error| format!("{name}: {error}"))?);
    }
    Ok(found)
}

/// The benchmarks of one file: one, or one for each value of N.
fn read(name: &str, text: &str) -> Result<Vec<Definition>, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let known = [
        "kind",
        "why",
        "model",
        "own",
        "n",
        "property",
        "verdict",
        "states",
        "steps",
        "options",
        "hash",
        "depth",
        "threads",
        "instructions",
        "rounds",
        "search",
    ];
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("`{key}` means nothing"));
    }
    let string = |key: &str| table.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |key: &str| table.get(key).and_then(Value::as_integer).map(|n| n as u64);
    let flag = |key: &str| table.get(key).and_then(Value::as_bool).unwrap_or(false);
    let kind = string("kind").ok_or("no kind")?;
    let kind = KINDS.iter().find(|(name, _)| *name == kind).ok_or_else(|| format!("no kind is {kind}"))?.1;
    let (model, is_own) = match (string("model"), string("own")) {
        (Some(model), None) => (corpus::models().join("promela").join(model), false),
        (None, Some(own)) => (workspace::file("benchmarks/models").join(own), true),
        _ => return Err("it needs a model of the corpus, or one of ours".to_owned()),
    };
    let options = table.get("options").and_then(Value::as_array);
    let options = options.map(|all| all.iter().filter_map(|o| Some(o.as_str()?.to_owned())).collect());
    let definition = Definition {
        name: name.to_owned(),
        kind,
        why: string("why").ok_or("no reason why")?,
        model,
        is_own,
        n: None,
        property: string("property"),
        verdict: string("verdict").unwrap_or_else(|| "holds".to_owned()),
        states: number("states"),
        steps: number("steps"),
        options: options.unwrap_or_default(),
        pan: number("hash").zip(number("depth")),
        threads: flag("threads"),
        instructions: flag("instructions"),
        rounds: number("rounds"),
        search: string("search").unwrap_or_else(|| "dfs".to_owned()),
    };
    let needs_states = matches!(kind, Kind::Explore | Kind::Reduce);
    let Some(values) = table.get("n").and_then(Value::as_table) else {
        return match definition.states {
            None if needs_states => Err("how many states there are is not told".to_owned()),
            _ => Ok(vec![definition]),
        };
    };
    let of_value = |(n, states): (&String, &Value)| {
        let n_value: u64 = n.parse().map_err(|_| format!("`{n}` is no value of N"))?;
        let states = states.as_integer().ok_or("how many states there are is no number")? as u64;
        // Where none is told, it does not matter.
        let states = Some(states).filter(|&states| states > 0);
        Ok(Definition { name: format!("{name}/{n}"), n: Some(n_value), states, ..definition.clone() })
    };
    let mut all: Vec<Definition> = values.iter().map(of_value).collect::<Result<_, String>>()?;
    if needs_states && all.iter().any(|definition| definition.states.is_none()) {
        return Err("how many states there are is not told".to_owned());
    }
    all.sort_by_key(|definition| definition.n);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_what_has_to_come_out() {
        let text = "kind = \"explore\"\nwhy = \"it is small\"\nown = \"peterson.pml\"\n";
        assert_eq!(read("x", text).unwrap_err(), "how many states there are is not told");
        assert!(read("x", &format!("{text}speed = 3")).unwrap_err().contains("`speed`"));
        let one = read("x", &format!("{text}states = 7\nhash = 3\ndepth = 9")).unwrap();
        assert_eq!((one[0].states, one[0].pan), (Some(7), Some((3, 9))));
        let several = read("x", &format!("{text}n = {{ 3 = 30, 2 = 20 }}")).unwrap();
        let told: Vec<_> = several.iter().map(|d| (d.name.as_str(), d.n, d.states)).collect();
        assert_eq!(told, [("x/2", Some(2), Some(20)), ("x/3", Some(3), Some(30))]);
    }
}
