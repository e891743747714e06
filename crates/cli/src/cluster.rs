//! `--processes` and `--hosts`: which processes search together, and starting them on this machine; and the same for the
//! language server, as the settings of the editor say.

use std::cell::RefCell;
use std::ffi::OsString;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use stubborn_check::{Choice, Config, Distributed, End, Gathered, Limits, Observer, Property, Task};
use stubborn_cluster::{Cluster, Meeting, Place, Secret};
use stubborn_ide::together::{Processes, Wanted};
use stubborn_ir::{Model, RuntimeErrorKind};

use crate::args::{ClusterArgs, ModelArgs};
use crate::exit::Status;
use crate::{model, output};

/// Where the secret is looked for if no file is named.
const VARIABLE: &str = "STUBBORN_SECRET";

/// How long processes that were started here have to end by themselves.
const PATIENCE: Duration = Duration::from_secs(1);

/// This process among others.
pub(crate) struct Together {
    /// Goes first, so that the others know that it goes.
    cluster: Option<Cluster>,
    children: Children,
}

/// Comes together with the processes that the command line names, if it names any.
pub(crate) fn join(
    args: &ClusterArgs,
    model: &Model,
    config: &Config,
    properties: &[Property],
    cancel: &Arc<AtomicBool>,
) -> Result<Option<Together>, String> {
    join_with(args, env::args_os().skip(1).collect(), model, config, properties, cancel)
}

/// The same for the language server: the others have these arguments.
pub(crate) fn form_for_editor(wanted: &Wanted<'_>) -> Result<Box<dyn Distributed>, String> {
    let Wanted { processes, path, defines, model, properties, config, cancel } = *wanted;
    let file = ModelArgs { file: path.to_owned(), defines: defines.to_vec() };
    let on_disk = model::load_quietly(&file)?;
    if on_disk.model.fingerprint() != model.fingerprint() {
        return Err(
            "other processes read the file, which is not what is in the editor: save it first".to_owned()
        );
    }
    let Processes { count, workers, hosts, secret_file } = processes.clone();
    let (number, process) = match hosts {
        None => (Some(count), None),
        Some(_) => (None, Some(0)),
    };
    let args = ClusterArgs { processes: number, hosts, process, workers, secret_file, join: None };
    let arguments = arguments_of(wanted);
    let together = join_with(&args, arguments, model, config, properties, cancel)?;
    let together = together.ok_or("there is nobody to check with")?;
    Ok(Box::new(together))
}

/// What another process on this machine is told, to check the same.
fn arguments_of(wanted: &Wanted<'_>) -> Vec<OsString> {
    let Wanted { processes, path, defines, properties, config, .. } = *wanted;
    let mut arguments: Vec<OsString> = vec!["check".into(), path.into()];
    let mut add = |option: &str, value: String| {
        arguments.push(option.into());
        arguments.push(value.into());
    };
    add("--processes", processes.count.to_string());
    add("--workers", processes.workers.to_string());
    add("--memory", config.memory.to_string());
    config.time.into_iter().for_each(|time| add("--time", format!("{}s", time.as_secs_f64())));
    if let Choice::Named(reduction) = config.reduction {
        add("--reduction", reduction.to_string());
    }
    properties.iter().for_each(|property| add("--property", property.name.to_string()));
    defines.iter().for_each(|(name, value)| add("-D", format!("{name}={value}")));
    arguments.extend(config.is_fair.then(|| "--fair".into()));
    arguments
}

fn join_with(
    args: &ClusterArgs,
    arguments: Vec<OsString>,
    model: &Model,
    config: &Config,
    properties: &[Property],
    cancel: &Arc<AtomicBool>,
) -> Result<Option<Together>, String> {
    let children = Children::default();
    let workers = usize::from(args.workers);
    let place = match (args.processes.map(usize::from), &args.hosts, &args.join) {
        (None, None, None) if args.process.is_some() || args.workers > 1 => {
            return Err("--process and --workers need --hosts or --processes".to_owned());
        }
        (None, None, _) => return Ok(None),
        (_, Some(file), _) => {
            let process = args.process.unwrap_or_default();
            let text = fs::read_to_string(file)
                .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            let hosts: Vec<String> = lines.map(str::to_owned).collect();
            if process >= hosts.len() {
                return Err(format!("{} has no line for process {process}", file.display()));
            }
            Place { process, meeting: Meeting::Hosts(hosts), workers, secret: secret(args)? }
        }
        (Some(n), None, Some(first)) => {
            let process = args.process.unwrap_or_default();
            Place { process, meeting: Meeting::There(first.clone(), n), workers, secret: secret(args)? }
        }
        (Some(n), None, None) => {
            if args.process.is_some() {
                return Err("--process needs --hosts".to_owned());
            }
            let text = Secret::generate()?;
            let secret = Secret::of(&text).ok_or("there is no secret")?;
            let listener = TcpListener::bind("127.0.0.1:0")
                .map_err(|error| format!("cannot listen on this machine: {error}"))?;
            children.start(n, &listener, &text, &arguments)?;
            Place { process: 0, meeting: Meeting::Here(listener, n), workers, secret }
        }
    };
    let is_over = || cancel.load(Ordering::Relaxed) || children.ended().is_some();
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let topics = [
        ("version of the program", env!("STUBBORN_VERSION").to_owned()),
        ("list of properties", format!("{names:?}")),
        ("reduction", format!("{:?} {:?} {:?}", config.reduction, config.proviso, config.visibility)),
    ];
    let formed = Cluster::form(place, &topics, model, config.time, &is_over);
    let cluster = formed.map_err(|why| match (cancel.load(Ordering::Relaxed), children.ended()) {
        (true, _) => "cancelled before all processes had come".to_owned(),
        (false, Some(ended)) => ended,
        (false, None) => why,
    })?;
    Ok(Some(Together { cluster: Some(cluster), children }))
}

impl Together {
    /// With whom to search.
    pub(crate) fn cluster(&mut self) -> Option<&mut dyn Distributed> {
        self.cluster.as_mut().map(|cluster| cluster as &mut dyn Distributed)
    }

    /// How this process ends, if another one has the results.
    pub(crate) fn status_elsewhere(&self) -> Option<Status> {
        let cluster = self.cluster.as_ref().filter(|cluster| !cluster.is_first())?;
        Some(match cluster.lost() {
            Some(process) => {
                output::failure(&format!("incomplete: process {process} of the cluster was lost"));
                Status::Incomplete
            }
            None => {
                output::remarks("process 0 has the results\n");
                Status::Success
            }
        })
    }
}

impl Distributed for Together {
    fn search(
        &mut self,
        task: &Task<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<(Gathered, End), RuntimeErrorKind> {
        let cluster = self.cluster.as_mut().expect("it goes when this does");
        cluster.search(task, limits, observer)
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        self.cluster = None;
        self.children.wait();
    }
}

/// Memory for one of several processes that share this machine.
pub(crate) fn share_of(memory: usize, args: &ClusterArgs) -> usize {
    memory / usize::from(args.processes.unwrap_or(1))
}

fn secret(args: &ClusterArgs) -> Result<Secret, String> {
    let text = match &args.secret_file {
        Some(file) => fs::read_to_string(file)
            .map_err(|error| format!("cannot read the secret in {}: {error}", file.display()))?,
        None => env::var(VARIABLE).unwrap_or_default(),
    };
    Secret::of(&text).ok_or_else(|| {
        format!("processes need a secret that only they know: use --secret-file, or set {VARIABLE}")
    })
}

/// Processes that were started here.
#[derive(Default)]
struct Children(RefCell<Vec<Child>>);

impl Children {
    /// Starts all but the first of `n` processes, with these arguments.
    fn start(
        &self,
        n: usize,
        listener: &TcpListener,
        secret: &str,
        arguments: &[OsString],
    ) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot start another process: {error}");
        let program = env::current_exe().map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        for process in 1..n {
            let mut command = Command::new(&program);
            command.args(arguments).env(VARIABLE, secret);
            command.arg("--join").arg(address.to_string()).arg("--process").arg(process.to_string());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            self.0.borrow_mut().push(command.spawn().map_err(failed)?);
        }
        Ok(())
    }

    /// What became of one that has ended, if one has.
    fn ended(&self) -> Option<String> {
        self.0.borrow_mut().iter_mut().enumerate().find_map(|(index, child)| {
            let status = child.try_wait().ok().flatten()?;
            Some(format!("process {} ended before the search began: {status}", index + 1))
        })
    }

    /// Sees to it that all of them end.
    fn wait(&self) {
        let since = Instant::now();
        for child in self.0.borrow_mut().iter_mut() {
            while since.elapsed() < PATIENCE && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(2));
            }
            // One that has ended cannot be killed, which will do.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
