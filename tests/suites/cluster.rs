//! Several processes search as one does: `--processes` and `--hosts` of the binary, against the search of one process.
//!
//! Of shipped and random models: the same states, transitions, violations and depth without reduction, and verdicts with
//! it; with any number of processes as many states left, and trails as short as breadth-first search finds them. What goes
//! wrong, a process that is killed, a wrong secret, another model, is told in time, and never as a verdict.

use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use libtest_mimic::Trial;
use serde_json::Value;
use stubborn_tests::binary::{self, Answer};
use stubborn_tests::corpus::Corpus;
use stubborn_tests::generate::{Feature, Features, generate};
use stubborn_tests::processes::{Asked, agree, is_decided_alike, is_the_same, run};
use stubborn_tests::suite::Suite;
use stubborn_tests::{say, table, workspace};

mod namespaces;
mod runs;

/// How many models of the corpus are looked at; the program `cluster` of this package looks at all.
const OF_CORPUS: usize = 12;

/// Within so much time all processes of a cluster are gone once one of them is.
const IN_TIME: Duration = Duration::from_secs(5);

/// Shipped models, with a number of workers for each process.
const MODELS: &[(&str, &str)] = &[
    ("promela/peterson.pml", "1"),
    ("promela/assertion.pml", "1"),
    ("promela/leader_election.pml", "1"),
    ("promela/alternating_bit.pml", "2"),
    ("promela/too_many_processes.pml", "1"),
    ("promela/philosophers.pml", "1"),
    ("promela/division_by_zero.pml", "1"),
    ("promela/broken_mutex.pml", "2"),
    ("promela/regressions/second_type_to_come.pml", "1"),
    ("promela/regressions/atomic_run_to_come.pml", "1"),
    ("promela/semantics/process_creation.pml", "2"),
    ("dve/two_locks.dve", "1"),
    ("helena/ferry.lna", "1"),
];

/// Processes that create processes, each of another kind and number according to what happened before.
const FAMILY: &str = "
byte grown;
proctype Leaf(byte n) { byte x = n; grown++; x = 0 }
proctype Branch(byte n) {
  chan c = [1] of { byte };
  if
  :: n > 0 -> run Branch(n - 1)
  :: n > 0 -> run Leaf(n); c!n; c?_
  :: skip
  fi;
  grown++
}
init { run Branch(2); if :: run Leaf(0) :: run Branch(1) fi; assert(grown < 4) }
";

/// Far more states than can be visited while a test waits.
const ENDLESS: &str = "
int a, b, c, d;
active [4] proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b == c + d -> skip od }
";

pub(crate) fn suite() -> Suite {
    let mut trials = Vec::new();
    for &(name, workers) in MODELS {
        let path = workspace::file("models").join(name);
        trials.push(Trial::test(name, move || Ok(is_the_same(&*path, &["--workers", workers])?)));
    }
    trials.push(Trial::test("processes that create processes", || {
        let folder = Folder::new()?;
        is_the_same(&*folder.write("family.pml", FAMILY)?, &[])?;
        Ok(is_the_same(&*folder.write("family.pml", FAMILY)?, &["--workers", "2"])?)
    }));
    let start = number("STUBBORN_CLUSTER_START", 0);
    let seeds = number("STUBBORN_CLUSTER_SEEDS", 12);
    for seed in start..start + seeds {
        trials.push(Trial::test(format!("random {seed}"), move || Ok(is_the_same_at_random(seed)?)));
    }
    trials.push(Trial::test("an invariant", || Ok(invariant()?)));
    trials.push(Trial::test("what several processes cannot do is refused", || Ok(refused()?)));
    trials.push(Trial::test("a process that is killed", || Ok(killed(1)?)));
    trials.push(Trial::test("the first process is killed", || Ok(killed(0)?)));
    trials.push(Trial::test("memory", || Ok(out_of_memory()?)));
    trials.push(Trial::test("interrupted", || Ok(interrupted()?)));
    trials.push(Trial::test("hosts", || Ok(hosts()?)));
    trials.push(Trial::test("another secret", || Ok(another_secret()?)));
    trials.push(Trial::test("another model", || Ok(another_model()?)));
    trials.push(Trial::test("cancelled while a claim is checked", || Ok(interrupted_claim()?)));
    trials.extend(of_corpus());
    let tally = Arc::default();
    trials.extend(runs::trials(&tally));
    trials.extend(namespaces::trials());
    Suite::with_report(trials, move || runs::report(&tally.lock().expect("no trial panics while it counts")))
}

/// Every so many of the models of the corpus that are neither tiny nor large, by number of states.
fn of_corpus() -> Vec<Trial> {
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => {
            say::skipped("a cluster and the corpus", &why);
            return Vec::new();
        }
    };
    let rows = corpus.rows().iter().filter(|row| table::text(row, "raw_st") == "ok");
    let mut models: Vec<(u64, &str)> = rows
        .filter_map(|row| Some((table::number(row, "raw_stored")?, table::text(row, "path"))))
        .filter(|(states, _)| (100..30_000).contains(states))
        .collect();
    models.sort_unstable();
    let step = models.len().div_ceil(OF_CORPUS).max(1);
    let trial = |&(_, name): &(u64, &str)| {
        let path = corpus.path(name);
        Trial::test(format!("corpus: {name}"), move || {
            is_the_same(&*path, &[])?;
            Ok(is_decided_alike(&*path, Asked::Claims(usize::MAX)).map(drop)?)
        })
    };
    models.iter().step_by(step).map(trial).collect()
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A directory that disappears with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Result<Self, String> {
        tempfile::tempdir().map(Folder).map_err(|error| error.to_string())
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.0.path().join(name);
        fs::write(&path, text).map_err(|error| error.to_string())?;
        Ok(path)
    }
}

fn is_the_same_at_random(seed: u64) -> Result<(), String> {
    // Half of them with processes that are created on the way.
    let features =
        if seed.is_multiple_of(2) { Features::ALL } else { Features::ALL - Features::of(Feature::Priority) };
    let folder = Folder::new()?;
    is_the_same(&*folder.write("model.pml", &generate(seed, features).render())?, &[])
}

fn invariant() -> Result<(), String> {
    let model = workspace::model("peterson.pml");
    for (goal, verdict) in [("inside == 1", "violated"), ("inside == 2", "holds")] {
        let mut lengths = Vec::new();
        for more in [&[][..], &["--processes", "2", "--workers", "2"], &["--processes", "3"]] {
            let (_, json) = run("check", &model, &[&["--reach", goal][..], more].concat())?;
            let property = &json["properties"][0];
            agree(goal, &Value::from(verdict), &property["verdict"])?;
            lengths.push(property["trail"]["steps"].as_array().map(Vec::len));
        }
        agree("trails", &vec![lengths[0]; 3], &lengths)?;
    }
    Ok(())
}

fn refused() -> Result<(), String> {
    let model = workspace::model("peterson.pml");
    for (command, more, why) in [
        ("explore", &["--search", "dfs"][..], "depth-first is a search of one process"),
        ("explore", &["--store", "bitstate"][..], "bitstate is for one process"),
        (
            "explore",
            &["--reduction", "stubborn", "--proviso", "duplicate"][..],
            "several processes cannot search so",
        ),
        ("check", &["--search", "a-star"][..], "a-star is a search of one process"),
    ] {
        let mut arguments: Vec<OsString> = vec![command.into(), model.clone().into()];
        arguments.extend(["--processes", "2"].iter().chain(more).map(OsString::from));
        let answer = binary::run(arguments);
        if answer.status != Some(2) || !answer.errors.contains(why) {
            return Err(format!("{more:?} is not refused: {answer}"));
        }
    }
    // Of these, no verdict is wrong: there is none.
    for (model, more, why) in [
        ("claims/progress_under_fairness.pml", &["--fair"][..], "weak fairness asks of a whole component"),
        (
            "claims/labels_beside_a_formula.pml",
            &["--reduction", "stubborn", "--proviso", "queue"],
            "preserves safety properties only",
        ),
        ("traces/in_order.pml", &[], "it is about events, which no state shows"),
    ] {
        let (_, json) = run("check", &workspace::model(model), &[&["--processes", "2"], more].concat())?;
        let mut properties = json["properties"].as_array().into_iter().flatten();
        let is_told = |property: &Value| {
            let reason = property["reason"].as_str().unwrap_or_default();
            property["verdict"] == "incomplete" && reason.contains(why)
        };
        if !properties.any(is_told) {
            return Err(format!("no claim is refused: {json}"));
        }
    }
    Ok(())
}

/// A run of the binary that goes on.
struct Running(Child);

impl Running {
    fn start(model: &Path, more: &[&str], secret: &str) -> Result<Self, String> {
        Self::start_with("explore", model, more, secret)
    }

    fn start_with(verb: &str, model: &Path, more: &[&str], secret: &str) -> Result<Self, String> {
        let mut command = Command::new(binary::path());
        command.arg(verb).arg(model).args(more).env("NO_COLOR", "1").env("STUBBORN_SECRET", secret);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().map(Running).map_err(|error| error.to_string())
    }

    /// The processes it has started, once there are so many.
    fn children(&self, n: usize) -> Result<Vec<u32>, String> {
        let since = Instant::now();
        while since.elapsed() < 4 * IN_TIME {
            let found = children_of(self.0.id());
            if found.len() == n {
                return Ok(found);
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(format!("there are no {n} processes"))
    }

    fn signal(pid: u32, signal: &str) -> Result<(), String> {
        let killed = Command::new("kill").args([signal, &pid.to_string()]).status();
        if killed.is_ok_and(|status| status.success()) { Ok(()) } else { Err(format!("no process {pid}")) }
    }

    /// What it leaves behind, within a time.
    fn end(mut self, time: Duration) -> Result<Answer, String> {
        let since = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) {
            if since.elapsed() > time {
                return Err(format!("it is still there after {time:?}"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        let mut text = [String::new(), String::new()];
        let streams: [Option<&mut dyn std::io::Read>; 2] = [
            self.0.stdout.as_mut().map(|stream| stream as &mut dyn std::io::Read),
            self.0.stderr.as_mut().map(|stream| stream as &mut dyn std::io::Read),
        ];
        for (stream, text) in streams.into_iter().zip(&mut text) {
            stream
                .map(|stream| stream.read_to_string(text))
                .transpose()
                .map_err(|error| error.to_string())?;
        }
        let status = self.0.wait().ok().and_then(|status| status.code());
        let [output, errors] = text;
        Ok(Answer { status, output, errors })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn children_of(pid: u32) -> Vec<u32> {
    let parent = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        fields.next().filter(|state| *state != "Z")?;
        fields.next()?.parse().ok()
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_string_lossy().parse().ok());
    pids.filter(|&other| parent(other) == Some(pid)).collect()
}

/// Whether all of these are gone in time.
fn are_gone(pids: &[u32]) -> Result<(), String> {
    let since = Instant::now();
    let is_there =
        |pid: &&u32| fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while pids.iter().any(|pid| is_there(&pid)) {
        if since.elapsed() > IN_TIME {
            return Err(format!("not all of {pids:?} are gone"));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn killed(which: usize) -> Result<(), String> {
    let folder = Folder::new()?;
    let path = folder.write("endless.pml", ENDLESS)?;
    let running = Running::start(&path, &["--processes", "3", "--memory", "400M"], "")?;
    let children = running.children(2)?;
    thread::sleep(Duration::from_millis(700));
    if which == 0 {
        Running::signal(running.0.id(), "-KILL")?;
        return are_gone(&children);
    }
    Running::signal(children[which], "-KILL")?;
    let answer = running.end(IN_TIME)?;
    are_gone(&children)?;
    is_incomplete(&answer, "was lost")
}

fn is_incomplete(answer: &Answer, why: &str) -> Result<(), String> {
    let told = answer.output.contains("incomplete") && answer.output.contains(why);
    let is_quiet = !answer.errors.contains("panicked");
    if answer.status == Some(3) && told && is_quiet { Ok(()) } else { Err(format!("{answer}")) }
}

fn out_of_memory() -> Result<(), String> {
    let folder = Folder::new()?;
    let path = folder.write("endless.pml", ENDLESS)?;
    let running = Running::start(&path, &["--processes", "2", "--memory", "20M"], "")?;
    is_incomplete(&running.end(4 * IN_TIME)?, "the memory limit of 20.0 MiB was reached")
}

fn interrupted() -> Result<(), String> {
    let folder = Folder::new()?;
    let path = folder.write("endless.pml", ENDLESS)?;
    let running = Running::start(&path, &["--processes", "2", "--memory", "400M"], "")?;
    let children = running.children(1)?;
    thread::sleep(Duration::from_millis(500));
    Running::signal(running.0.id(), "-INT")?;
    let answer = running.end(IN_TIME)?;
    are_gone(&children)?;
    is_incomplete(&answer, "cancelled")
}

fn interrupted_claim() -> Result<(), String> {
    let folder = Folder::new()?;
    let path = folder.write("endless.pml", &format!("{ENDLESS}ltl grows {{ [] <> (a != 77777) }}\n"))?;
    let more = ["--property", "grows", "--processes", "2", "--memory", "400M"];
    let running = Running::start_with("check", &path, &more, "")?;
    let children = running.children(1)?;
    thread::sleep(Duration::from_millis(500));
    Running::signal(running.0.id(), "-INT")?;
    let answer = running.end(IN_TIME)?;
    are_gone(&children)?;
    is_incomplete(&answer, "cancelled")
}

/// Two processes as hosts, each with its own secret and model.
fn two_hosts(models: [&Path; 2], secrets: [&str; 2]) -> Result<[Answer; 2], String> {
    let folder = Folder::new()?;
    let port = || -> Result<u16, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        listener.local_addr().map(|address| address.port()).map_err(|error| error.to_string())
    };
    let text = format!("127.0.0.1:{}\n127.0.0.1:{}\n", port()?, port()?);
    let hosts = folder.write("hosts.txt", &text)?.display().to_string();
    let start = |process: usize| {
        let number = process.to_string();
        let more = ["--hosts", &hosts, "--process", &number, "--time", "3s"];
        Running::start(models[process], &more, secrets[process])
    };
    let (second, first) = (start(1)?, start(0)?);
    Ok([first.end(2 * IN_TIME)?, second.end(2 * IN_TIME)?])
}

fn hosts() -> Result<(), String> {
    let model = workspace::model("peterson.pml");
    let [first, second] = two_hosts([&model, &model], ["s", "s"])?;
    let states = format!("{} states", binary::explore(&model, "bfs", &[])?.states);
    let is_told = first.status == Some(0) && first.output.contains(&states) && second.status == Some(0);
    if is_told && second.output.is_empty() { Ok(()) } else { Err(format!("{first}\n{second}")) }
}

fn another_secret() -> Result<(), String> {
    let model = workspace::model("peterson.pml");
    let [first, second] = two_hosts([&model, &model], ["s", "t"])?;
    let is_told = |answer: &Answer| answer.status == Some(2) && answer.errors.contains("secret");
    if is_told(&first) && is_told(&second) { Ok(()) } else { Err(format!("{first}\n{second}")) }
}

fn another_model() -> Result<(), String> {
    let models = [workspace::model("peterson.pml"), workspace::model("broken_mutex.pml")];
    let [first, second] = two_hosts([&models[0], &models[1]], ["s", "s"])?;
    let is_told = |answer: &Answer| answer.status == Some(2) && answer.errors.contains("another model");
    if is_told(&first) && is_told(&second) { Ok(()) } else { Err(format!("{first}\n{second}")) }
}
