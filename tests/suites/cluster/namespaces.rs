//! Processes on machines of their own, as far as the network can tell: in network namespaces, connected by veth pairs and a
//! bridge. One is killed, stopped, or has its link taken down: all others end, and none of them with a verdict.
//!
//! It takes root and iproute2, and is skipped where these are not to be had.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::Value;
use stubborn_tests::{binary, say};

use super::{ENDLESS, Folder, Running};

/// How many machines there are.
const N: usize = 3;

/// After so long, something hangs.
const HANGS: Duration = Duration::from_secs(60);

/// The search is well under way when a machine has sent so many bytes.
const UNDER_WAY: u64 = 1 << 20;

/// What happens to a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Killed,
    Stopped,
    CutOff,
}

pub(super) fn trials() -> Vec<Trial> {
    if let Err(why) = Net::new(1) {
        say::skipped("a cluster in network namespaces", &why);
        return Vec::new();
    }
    let fates = [Fate::Killed, Fate::Stopped, Fate::CutOff];
    let cases = fates.into_iter().flat_map(|fate| [0, 1].map(|which| (fate, which)));
    let explored = cases.map(|(fate, which)| {
        let name = format!("machine {which} of {N} is {fate:?}");
        Trial::test(name, move || Ok(struck(fate, which, &["explore"])?))
    });
    let checked = Trial::test(format!("machine 2 of {N} is Killed while a claim is checked"), || {
        Ok(struck(Fate::Killed, 2, &["check", "--property", "grows"])?)
    });
    explored.chain([checked]).collect()
}

/// Machines, gone when it is dropped.
struct Net {
    prefix: String,
    n: usize,
}

impl Net {
    fn new(n: usize) -> Result<Self, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        // Names of interfaces are short.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let net = Net { prefix: format!("s{}x{number}", std::process::id()), n };
        let hub = net.hub();
        ip(&["netns", "add", &hub])?;
        ip(&["-n", &hub, "link", "add", "bridge", "type", "bridge"])?;
        ip(&["-n", &hub, "link", "set", "bridge", "up"])?;
        for k in 0..n {
            let (machine, port) = (net.machine(k), port(k));
            ip(&["netns", "add", &machine])?;
            let pair = ["type", "veth", "peer", "name", "eth", "netns", &machine];
            ip(&[&["link", "add", &port, "netns", &hub], &pair[..]].concat())?;
            ip(&["-n", &hub, "link", "set", &port, "master", "bridge", "up"])?;
            ip(&["-n", &machine, "addr", "add", &format!("{}/24", address(k)), "dev", "eth"])?;
            ip(&["-n", &machine, "link", "set", "eth", "up"])?;
            ip(&["-n", &machine, "link", "set", "lo", "up"])?;
        }
        Ok(net)
    }

    fn hub(&self) -> String {
        format!("{}h", self.prefix)
    }

    fn machine(&self, k: usize) -> String {
        format!("{}m{k}", self.prefix)
    }

    /// Bytes that a machine has sent.
    fn sent(&self, k: usize) -> u64 {
        let told = ip(&["-n", &self.hub(), "-s", "-j", "link", "show", "dev", &port(k)]).unwrap_or_default();
        let json: Value = serde_json::from_str(&told).unwrap_or_default();
        json[0]["stats64"]["rx"]["bytes"].as_u64().unwrap_or_default()
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        // What was not made cannot be removed.
        let _ = ip(&["netns", "del", &self.hub()]);
        (0..self.n).for_each(|k| drop(ip(&["netns", "del", &self.machine(k)])));
    }
}

fn port(k: usize) -> String {
    format!("port{k}")
}

fn address(k: usize) -> String {
    format!("10.77.0.{}", k + 1)
}

fn ip(arguments: &[&str]) -> Result<String, String> {
    let ran = Command::new("ip").args(arguments).stdin(Stdio::null()).output();
    let output = ran.map_err(|error| format!("iproute2 is needed: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("ip {}: {}", arguments.join(" "), text(&output.stderr))),
    }
}

fn struck(fate: Fate, which: usize, asked: &[&str]) -> Result<(), String> {
    let net = Net::new(N)?;
    let folder = Folder::new()?;
    let model = folder.write("endless.pml", &format!("{ENDLESS}ltl grows {{ [] <> (a != 77777) }}\n"))?;
    let lines: Vec<String> = (0..N).map(|k| format!("{}:7700\n", address(k))).collect();
    let hosts = folder.write("hosts.txt", &lines.concat())?;
    let mut machines = Vec::new();
    for k in 0..N {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &net.machine(k)]).arg(binary::path()).args(asked).arg(&model);
        command.arg("--hosts").arg(&hosts).args(["--process", &k.to_string(), "--memory", "300M"]);
        command.env("NO_COLOR", "1").env("STUBBORN_SECRET", "between machines");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        machines.push(command.spawn().map(Running).map_err(|error| error.to_string())?);
    }
    let since = Instant::now();
    while (0..N).any(|k| net.sent(k) < UNDER_WAY) {
        if since.elapsed() > HANGS {
            return Err("the search has not begun".to_owned());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let pid = machines[which].0.id();
    let struck = Instant::now();
    match fate {
        Fate::Killed => Running::signal(pid, "-KILL")?,
        Fate::Stopped => Running::signal(pid, "-STOP")?,
        Fate::CutOff => drop(ip(&["-n", &net.hub(), "link", "set", &port(which), "down"])?),
    }
    // Who is cut off has to end by itself, who is stopped, once it goes on.
    let mut last = Vec::new();
    let mut slowest = Duration::ZERO;
    for (k, machine) in machines.into_iter().enumerate() {
        if k == which && fate != Fate::CutOff {
            last.push(machine);
            continue;
        }
        let answer = machine.end(HANGS.saturating_sub(struck.elapsed()))?;
        slowest = slowest.max(struck.elapsed());
        is_incomplete(k, &answer)?;
    }
    for machine in last.into_iter().filter(|_| fate == Fate::Stopped) {
        Running::signal(pid, "-CONT")?;
        is_incomplete(which, &machine.end(HANGS)?)?;
    }
    say::note(&format!(
        "cluster: {asked:?}: machine {which} of {N} is {fate:?}: the last other one ended after {:.1} s",
        slowest.as_secs_f64()
    ));
    Ok(())
}

/// The first machine has the results, the others tell why they have none.
fn is_incomplete(k: usize, answer: &binary::Answer) -> Result<(), String> {
    let told = if k == 0 { &answer.output } else { &answer.errors };
    let is_told = told.contains("incomplete") && told.contains("was lost");
    match answer.status == Some(3) && is_told && !answer.errors.contains("panicked") {
        true => Ok(()),
        false => Err(format!("machine {k}: {answer}")),
    }
}
