//! The page in a real browser: keys are pressed, and what it has become is looked at.

use stubborn_tests::{browser, say};

use super::subjects::{LASSO, MARKUP, RENDEZVOUS, list, told, trail};

/// Presses keys, and takes down the position after each; then what is shown.
const SCRIPT: &str = "
const log = [];
for (const key of KEYS) {
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  log.push(document.body.dataset.position);
}
const shown = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent).join('|');
const report = {
  log,
  steps: document.querySelectorAll('li.step').length,
  drawn: document.querySelectorAll('svg .step').length,
  current: shown('li[aria-current] code'),
  drawn_current: document.querySelectorAll('svg .step.current').length,
  marks: shown('mark'),
  changed: [...document.querySelectorAll('tr.changed')].map((row) => [...row.children].map((cell) => cell.textContent).join(' ')),
  position: document.getElementById('position').textContent,
  causes: [...document.querySelectorAll('.causes li')].map((line) => Number(line.dataset.step)),
  broken: document.querySelectorAll('#broken').length,
  runs: document.querySelectorAll('.run').length,
};
const box = document.querySelector('.filter');
box.click();
report.filtered = document.querySelectorAll('li.step:not(.hidden)').length;
const result = document.createElement('pre');
result.id = 'report';
result.textContent = JSON.stringify(report);
document.body.append(result);
";

/// What the page says of itself after these keys; none if there is no browser.
fn after(text: &str, property: &str, keys: &[&str]) -> Option<serde_json::Value> {
    let name = match browser::find() {
        Ok(name) => name,
        Err(why) => {
            say::skipped("pages in a browser", &why);
            return None;
        }
    };
    let page = trail(text, property, "html").output;
    let keys = serde_json::to_string(keys).expect("strings can be written");
    let dom = browser::page_after(name, &page, &SCRIPT.replace("KEYS", &keys))
        .unwrap_or_else(|why| panic!("{why}"));
    let start = dom.find("<pre id=\"report\">").unwrap_or_else(|| panic!("the script did not end: {dom}"));
    let report = &dom[start + "<pre id=\"report\">".len()..];
    let report = report.split("</pre>").next().unwrap_or_default();
    let report = report.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&report).unwrap_or_else(|error| panic!("{error}: {report}")))
}

#[test]
fn keys_step_through_a_page() {
    let keys =
        ["j", "ArrowDown", "ArrowRight", "k", "Home", "p", "End", "j", "ArrowUp", "n", "Home", "j", "j"];
    let Some(report) = after(LASSO, "stops", &keys) else { return };
    let n_steps = list(&told(LASSO, "stops"), "steps").len();
    let last = n_steps.to_string();
    let before_last = (n_steps - 1).to_string();
    let expected = ["1", "2", "3", "2", "0", "0", &last, &last, &before_last, &last, "0", "1", "2"];
    assert_eq!(report["log"], serde_json::json!(expected), "{report:#}");
    assert_eq!((&report["steps"], &report["drawn"]), (&n_steps.into(), &n_steps.into()));
    assert_eq!(report["drawn_current"], 1);
}

#[test]
fn a_page_shows_what_a_step_does() {
    let Some(report) = after(RENDEZVOUS, "deadlock", &["j", "j"]) else { return };
    let told = told(RENDEZVOUS, "deadlock");
    let second = &list(&told, "steps")[1];
    assert_eq!(report["current"], "back!n + 1 → client(0): back?x", "{report:#}");
    // In the order of the source: the client's statement, then the server's.
    assert_eq!(report["marks"], "back?x|back!n + 1");
    assert_eq!(report["changed"], serde_json::json!(["x 4 0"]));
    let causes: Vec<u64> = list(second, "causes").iter().filter_map(|cause| cause["step"].as_u64()).collect();
    assert!(
        causes.iter().all(|cause| *cause == 0) && report["causes"] == serde_json::json!([0]),
        "{report:#}"
    );
    assert!(report["position"].as_str().is_some_and(|text| text.starts_with("step 2 of ")), "{report:#}");
    // A rendezvous is a step of both, so nothing is hidden without one of them.
    assert_eq!(report["filtered"], report["steps"]);
}

#[test]
fn a_model_cannot_write_into_its_page() {
    let Some(report) = after(MARKUP, "assertions", &["End", "k"]) else { return };
    assert_eq!((&report["broken"], &report["steps"]), (&0.into(), &3.into()), "{report:#}");
    assert!(
        report["current"].as_str().is_some_and(|text| text.contains("</script><b id='broken'>")),
        "{report:#}"
    );
    assert_eq!((&report["runs"], &report["filtered"]), (&1.into(), &0.into()));
}
