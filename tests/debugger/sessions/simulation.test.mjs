// Runs by choice and by chance.
import assert from 'node:assert/strict';
import test from 'node:test';
import { launch, model } from './session.mjs';

const choices = { program: model('choices.pml') };

/** The labels of the steps of a run to its end. */
async function run(t, seed) {
  const session = await launch(t, { ...choices, seed });
  const labels = [];
  for (let stop = session.first; stop.reason !== 'end'; stop = await session.move('stepIn')) {
    const target = (await session.targets()).find((target) => target.label.endsWith('(comes next)'));
    labels.push(target.label);
  }
  return { session, labels };
}

test('the same seed makes the same run', async (t) => {
  const [one, same] = [await run(t, 3), await run(t, 3)];
  assert.deepEqual(one.labels, same.labels);
  const others = await Promise.all([5, 6, 7, 8, 9, 10].map((seed) => run(t, seed)));
  assert.ok(others.some((other) => other.labels.join() !== one.labels.join()));
  assert.match(one.session.output, /got \d+\n/);
  assert.match(one.session.output, /nothing can move, and nothing has to/);
});

test('the run ends without processes, and can be taken back', async (t) => {
  const { session } = await run(t, 1);
  assert.deepEqual((await session.threads()).map((thread) => thread.name), ['no process']);
  assert.deepEqual(await session.frames(), []);
  await session.move('stepBack');
  assert.notEqual((await session.threads())[0].name, 'no process');
});

test('a successor is chosen', async (t) => {
  const session = await launch(t, choices);
  const targets = await session.targets();
  assert.deepEqual(targets.map((target) => target.label.replace(' (comes next)', '')), [
    'Right(1): d_step { sum = sum + 10; sum = sum + 10 }', 'Left(0): i < 3',
  ]);
  assert.deepEqual(targets.map((target) => target.line), [15, 7]);
  await session.move('stepIn', { targetId: targets[0].id });
  assert.equal(await session.value('sum'), '20');
  await session.move('stepBack');
  assert.equal(await session.value('sum'), '0');
  const [, left] = await session.targets();
  const chosen = await session.move('stepIn', { targetId: left.id });
  assert.equal(chosen.text, '2 steps are possible here');
  assert.equal(await session.value('sum'), '0');
  assert.deepEqual(await session.where(await session.threadOf('Left(0)')), ['Left:7']);
});

test('next moves the process it is asked for, where it can', async (t) => {
  const session = await launch(t, choices);
  const left = await session.threadOf('Left(0)');
  for (const expected of ['0', '1', '1']) {
    await session.move('next', { threadId: left });
    assert.equal(await session.value('i', left), expected);
  }
  assert.equal(await session.value('sum'), '1', 'the other process has not moved');
});

test('a rendezvous is one step of two processes', async (t) => {
  const session = await launch(t, { ...choices, stopOnEntry: false }, { breakpoints: { 'choices.pml': [19] } });
  assert.equal(session.first.reason, 'breakpoint');
  const [target] = await session.targets();
  assert.equal(target.label, 'Left(0): c ! sum → Right(1): c ? got (comes next)');
  assert.deepEqual(await session.where(await session.threadOf('Right(1)')), ['Right:19']);
  assert.equal((await session.scope('Channels')).c.value, 'rendezvous');
  await session.move('stepIn');
  assert.equal(await session.value('got', await session.threadOf('Right(1)')), '23');
});

test('a run without end stops when it is asked to', async (t) => {
  const session = await launch(t, { program: model('endless.pml'), steps: 1_000_000_000 });
  const stopped = session.client.waitForEvent('stopped');
  await session.client.continueRequest({ threadId: session.thread });
  await session.client.pauseRequest({ threadId: session.thread });
  assert.equal((await stopped).body.reason, 'pause');
  assert.ok(Number(await session.value('x')) >= 0);
  await session.move('stepIn');
  await session.move('stepBack');
});

test('a run by chance has a limit', async (t) => {
  const session = await launch(t, { program: model('endless.pml'), steps: 25 });
  assert.match((await session.move('continue')).text, /25 steps/);
  assert.equal(await session.value('x'), '25');
  await session.move('continue');
  assert.equal(await session.value('x'), '50');
});

test('a property that holds leaves a simulation, and says so', async (t) => {
  const session = await launch(t, { program: model('endless.pml'), property: 'small' });
  assert.match(session.output, /small: holds/);
  assert.match(session.output, /small is not violated: this is a simulation/);
  assert.equal(session.first.reason, 'entry');
});

test('a check that is cut short is not said to hold', async (t) => {
  const session = await launch(t, { program: model('endless.pml'), property: 'small', time: 0 });
  assert.match(session.output, /small: (incomplete|holds)/);
  if (session.output.includes('incomplete')) assert.match(session.output, /not to say that there is none/);
});

test('without debugging, a run just runs', async (t) => {
  const { connect } = await import('./session.mjs');
  const client = await connect(t);
  let output = '';
  client.on('output', (event) => (output += event.body.output));
  const ready = client.waitForEvent('initialized');
  await client.initializeRequest();
  await Promise.all([ready, client.launchRequest({ ...choices, noDebug: true })]);
  await Promise.all([client.waitForEvent('terminated'), client.configurationDoneRequest()]);
  assert.match(output, /got \d+\n/);
});
