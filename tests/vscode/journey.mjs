// The way from a mistake to a verified model in VS Code: opened, saved, underlined, stepped through, debugged, mended,
// checked by two processes; then the walkthrough, which leads a newcomer along the same way.
//
// node journey.mjs URL FOLDER WITHOUT_PROGRAM: URL is where VS Code answers, FOLDER is where pictures go, and
// WITHOUT_PROGRAM is a folder whose settings name no program. Ends with code 0 if everything was as it should be.

import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [url, folder, withoutProgram] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.setDefaultTimeout(60_000);
const clock = Date.now();
let pictures = 0;

async function picture(name) {
  pictures += 1;
  await page.screenshot({ path: path.join(folder, `${String(pictures).padStart(2, '0')}-${name}.png`) });
}

function say(what) {
  console.log(`[${((Date.now() - clock) / 1000).toFixed(1)}s] ${what}`);
}

function expect(what, holds) {
  if (!holds) {
    throw new Error(`expected: ${what}`);
  }
  say(what);
}

/** Waits until something is as it should be. */
async function until(what, condition, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await condition().catch(() => false)) {
      say(what);
      return;
    }
    if (Date.now() > end) {
      throw new Error(`in vain: ${what}`);
    }
    await page.waitForTimeout(100);
  }
}

/** Runs a command by its name. What takes the focus late, such as a chart that is being shown, closes the list again. */
async function palette(command) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: command }).first();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: 10_000 });
      await input.fill(`>${command}`, { timeout: 5_000 });
      await row.click({ timeout: 10_000 });
      return;
    } catch (error) {
      if (attempt === 5) {
        throw error;
      }
    }
  }
}

const editor = () => page.locator('.editor-instance').first();
const lens = (text) => page.locator('.codelens-decoration a, .codelens-decoration span', { hasText: text });
/** Where the cursor is, as the status bar tells. */
const line = async () => Number(/Ln (\d+)/.exec(await page.locator('#status\\.editor\\.selection').innerText())?.[1]);

async function journey() {
  await page.goto(url);
  await page.locator('.explorer-folders-view').waitFor();
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'mutex.pml' }).dblclick();
  await page.locator('.view-lines').first().waitFor();
  say('the model is open');
  await page.locator('.view-lines').first().click();
  await page.keyboard.press('Control+S');
  await page.locator('.squiggly-error').first().waitFor();
  say('the assertion is underlined');
  await lens('violated, trail of').first().waitFor();
  await picture('violated');

  // The list of problems: the trail is under the violation.
  await palette('Problems: Focus on Problems View');
  const problems = page.locator('.markers-panel .monaco-list-row');
  await problems.filter({ hasText: 'assert' }).first().waitFor();
  const violation = problems.filter({ hasText: 'assertion violated' }).first();
  await violation.click();
  await page.keyboard.press('ArrowRight');
  const third = problems.filter({ hasText: /\b3\s+user\(/ }).first();
  await third.waitFor();
  await picture('problems');

  await third.click();
  const hint = (text) => page.locator('.view-lines', { hasText: text });
  await until('the value hint of step 3 is shown', async () => (await hint('step 3 of 9').count()) > 0);
  const stepLine = await line();
  expect(`the cursor is on the line of step 3, ${stepLine}`, stepLine === 15);
  await picture('step');

  // The trail view.
  await palette('View: Focus Active Editor Group');
  await page.keyboard.press('Control+Home');
  const tree = page.locator('.pane-body .monaco-list-row');
  await until('a click on the lens opens the trail view', async () => {
    await lens('violated, trail of').last().click({ timeout: 1000 });
    await tree.filter({ hasText: /1\s+turn/ }).first().waitFor({ timeout: 3000 });
    return true;
  });
  await picture('trail');

  // The view may be shown anew by a click on the lens that came late: then the step is clicked on once more.
  const shows = async (text) => {
    await hint(text).first().waitFor({ timeout: 4000 });
    return true;
  };
  await until('a click on step 5 shows its values, and the arrow keys go on', async () => {
    await tree.filter({ hasText: /5\s+inside/ }).first().click({ timeout: 4000 });
    await shows('step 5 of 9');
    await page.keyboard.press('ArrowDown');
    await shows('step 6 of 9');
    await page.keyboard.press('ArrowDown');
    return shows('step 7 of 9');
  });
  await picture('arrows');

  await palette('Stubborn: Show the Chart of the Trail');
  await page.locator('iframe.webview').first().waitFor();
  const chart = page.frameLocator('iframe.webview').frameLocator('iframe').locator('svg').first();
  await chart.waitFor();
  say('the chart is drawn');
  await page.waitForTimeout(500);
  await picture('chart');
  await page.locator('.tab', { hasText: 'Chart' }).first().click();
  await palette('View: Close Editor');
  await page.locator('.tab', { hasText: 'mutex.pml' }).first().click();

  // The debugger.
  await palette('Stubborn: Debug the Trail');
  await page.locator('.debug-toolbar').waitFor();
  await page.locator('.debug-call-stack .monaco-list-row', { hasText: 'user' }).first().waitFor();
  say('the debugger has stopped at the first step');
  for (let i = 0; i < 5; i += 1) {
    await page.keyboard.press('F11');
    await page.waitForTimeout(400);
  }
  const variables = page.locator('.debug-variables .monaco-list-row');
  const value = async (name, wanted) => (await variables.filter({ hasText: new RegExp(`${name}\\s*[:=].*\\b${wanted}\\b`) }).count()) > 0;
  const globals = variables.filter({ hasText: 'Globals' }).first();
  await globals.waitFor();
  if ((await variables.filter({ hasText: 'inside' }).count()) === 0) {
    await globals.click();
  }
  await until('inside is 1 after five steps', () => value('inside', 1));
  await picture('debugger');
  await page.locator('.debug-toolbar .codicon-debug-step-back').click();
  await until('inside is 0 one step back', () => value('inside', 0));
  await picture('stepped-back');
  expect('nobody complains', (await page.locator('.notifications-toasts .codicon-error').count()) === 0);
  await page.keyboard.press('Shift+F5');
  await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });

  // Test Explorer.
  await palette('Testing: Focus on Test Explorer View');
  const tests = page.locator('.test-explorer .monaco-list-row');
  await tests.filter({ hasText: /assertions.*violated/ }).first().waitFor();
  await tests.filter({ hasText: /deadlock.*verified/ }).first().waitFor();
  say('the properties are in the Test Explorer, without a click');
  await page.waitForTimeout(500);
  await picture('tests');

  // The mistake is mended: the two statements change places.
  await palette('View: Show Explorer');
  await page.locator('.tab', { hasText: 'mutex.pml' }).first().click();
  await page.locator('.view-lines').first().click();
  await page.keyboard.press('Control+G');
  await page.keyboard.type('14');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Delete');
  await page.keyboard.type(':: wants[_pid] = true; turn = other;');
  // What is offered to complete it would take the next key.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+S');
  await until('the lens says verified', async () => {
    // It stands above the first line, which may be out of sight.
    await page.keyboard.press('Control+Home');
    return (await lens('assertions: verified').count()) > 0;
  });
  await until('nothing is underlined', async () => (await page.locator('.squiggly-error').count()) === 0);
  await page.waitForTimeout(500);
  await picture('verified');

  await together();
  await others();
  await net();
  await cancelled();
  await walkthrough();
  await missing();
}

/** Two processes check the model that was mended: it is verified as before, and what explains it tells of them. */
async function together() {
  await palette('Stubborn: Check on the Cluster');
  const told = page.locator('.notification-toast', { hasText: /enters: .*processes come to states in an order of their own/ });
  await until('the model is verified by two processes', async () => {
    // It stands above the last line.
    await page.keyboard.press('Control+End');
    await lens('enters: verified').first().click({ timeout: 1000 });
    await told.first().waitFor({ timeout: 2000 });
    return true;
  });
  await page.locator('.statusbar-item', { hasText: '3 verified' }).first().waitFor();
  await picture('cluster');
  await palette('Notifications: Clear All Notifications');
}

/** Models of other languages, and files with properties of a net: highlighted, checked and listed as tests. */
async function others() {
  const files = [
    ['two_locks.dve', 'DVE', 'deadlock: violated, trail of 2 steps'],
    ['ferry.prop.lna', 'Helena', 'never_over: violated, trail of 8 steps'],
    ['ReachabilityCardinality.xml', 'PNML', 'ReachabilityCardinality-01: violated, trail of 2 steps'],
  ];
  for (const [name, language, title] of files) {
    await palette('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
    await page.locator('.tab.active', { hasText: name }).waitFor();
    await page.locator('.statusbar-item', { hasText: new RegExp(`^\\s*${language}\\s*$`) }).first().waitFor();
    await until(`${name} says ${title}`, async () => (await lens(title).count()) > 0);
    const colours = () => page.evaluate(() => new Set([...document.querySelectorAll('.editor-instance .view-line span span')].map((s) => s.className.replace(/.*(mtk\d+).*/, '$1'))).size);
    await until(`${name} has colours`, async () => (await colours()) > 2);
    await page.locator('.squiggly-error').first().waitFor();
    await page.waitForTimeout(500);
    await picture(language.toLowerCase());
    await palette('View: Close Editor');
  }
}

/** The picture of a net, beside its properties: it shows the marking after the step that is selected. */
async function net() {
  await palette('View: Show Explorer');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'ferry.prop.lna' }).dblclick();
  await page.locator('.tab.active', { hasText: 'ferry.prop.lna' }).waitFor();
  const steps = page.locator('.pane-body .monaco-list-row', { hasText: /^\s*\d+\s/ });
  await until('a click on the lens opens the trail of the net', async () => {
    await lens('never_over: violated').last().click({ timeout: 1000 });
    await steps.filter({ hasText: /^\s*8\s/ }).first().waitFor({ timeout: 3000 });
    return true;
  });
  await palette('Stubborn: Show the Picture of the Net');
  const drawn = page.frameLocator('iframe.webview').frameLocator('iframe').locator('svg').first();
  await drawn.waitFor();
  say('the net is drawn');
  const marking = () => drawn.evaluate((svg) => svg.textContent);
  const select = async (step) => {
    await steps.filter({ hasText: new RegExp(`^\\s*${step}\\s`) }).first().click({ timeout: 4000 });
    await page.waitForTimeout(500);
    return marking();
  };
  await until('the marking is that of the step that is selected', async () => (await select(2)) !== (await select(7)));
  await picture('net');
  await page.locator('.tab', { hasText: 'Net:' }).first().click();
  await palette('View: Close Editor');
  await page.locator('.tab', { hasText: 'ferry.prop.lna' }).first().click();
  await palette('View: Close Editor');
  await palette('View: Show Explorer');
}

/** A check that would take long counts its states in the status bar, until somebody clicks there. */
async function cancelled() {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'large.pml' }).dblclick();
  const bar = page.locator('.statusbar-item').filter({ hasText: /^\s*[1-9][\d,]* states/ });
  await bar.first().waitFor();
  await picture('running');
  await bar.first().locator('a').click();
  await bar.first().waitFor({ state: 'detached' });
  await page.locator('.statusbar-item', { hasText: 'not checked' }).first().waitFor();
  say('a click on the states cancels the check');
  await palette('View: Close Editor');
}

/** Through the steps that greet a newcomer, by their buttons. */
async function walkthrough() {
  await palette('Welcome: Open Walkthrough');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Get Started with Stubborn' }).first().click();
  const guide = page.locator('.gettingStartedContainer');
  const button = (text) => guide.locator('.monaco-button', { hasText: text });
  await button('Open a Model With a Mistake').waitFor();
  await picture('walkthrough');
  await button('Open a Model With a Mistake').click();
  // The other model is mended.
  await page.locator('.squiggly-error').first().waitFor();
  say('the walkthrough opens its model, and the assertion is underlined');
  await guide.locator('.getting-started-step', { hasText: 'See how it goes wrong' }).click();
  await button('Show a Trail').click();
  await page.locator('.pane-body .monaco-list-row', { hasText: /1\s+turn/ }).first().waitFor();
  say('the walkthrough shows the trail beside itself');
  await page.waitForTimeout(500);
  await picture('walkthrough-trail');
  expect('nobody complains', (await page.locator('.notifications-toasts .codicon-error').count()) === 0);
}

/** A folder whose settings name a program that is none. */
async function missing() {
  await page.goto(`${url}?folder=${withoutProgram}`);
  const message = page.locator('.notification-toast', { hasText: 'which is no program' });
  await message.waitFor();
  await message.locator('.monaco-button', { hasText: 'Open Setting' }).waitFor();
  await picture('missing');
  say('that the program is missing is said, with what to do');
  await palette('Stubborn: Check All Open Models');
  await page.waitForTimeout(500);
  expect('no command is missing for that', (await page.locator('.notification-toast', { hasText: "command 'stubborn" }).count()) === 0);
}

try {
  await journey();
  console.log(`ok, ${pictures} pictures in ${folder}`);
} catch (error) {
  await picture('failed');
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
