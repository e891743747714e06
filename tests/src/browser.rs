//! A real browser without a window, to look at pages with.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::spin::run;

/// Names that browsers go by.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// For one page. A browser that starts on a busy machine takes its time.
const TIME: Duration = Duration::from_secs(90);

/// The name of a browser that can be started.
pub fn find() -> Result<&'static str, String> {
    let starts = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = NAMES.iter().find(starts).copied();
    found.ok_or_else(|| format!("none of {} is installed", NAMES.join(", ")))
}

/// What a page has become when its scripts have run, with one more script at its end.
pub fn page_after(browser: &str, html: &str, script: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let page = folder.path().join("page.html");
    let end = html.rfind("</body>").ok_or("a page without an end")?;
    let html = format!("{}<script>{script}</script>{}", &html[..end], &html[end..]);
    fs::write(&page, html).map_err(|error| error.to_string())?;
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
    command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
    command.args(["--window-size=1400,900", "--virtual-time-budget=3000", "--dump-dom"]);
    command.arg(address(&page));
    let finished = run(command, TIME).map_err(|error| error.to_string())?;
    match finished.text.find("</html>") {
        Some(end) if finished.success => Ok(finished.text[..end].to_owned()),
        _ => Err(format!("the browser shows nothing (timed out: {}): {}", finished.timed_out, finished.text)),
    }
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}
