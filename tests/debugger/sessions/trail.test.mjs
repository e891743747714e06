// A counterexample, followed forwards and backwards.
import assert from 'node:assert/strict';
import test from 'node:test';
import { launch, model } from './session.mjs';

const assertions = { program: model('handshake.pml'), property: 'assertions' };

test('a trail is stepped to its end, and back to its beginning', async (t) => {
  const session = await launch(t, assertions);
  assert.equal(session.first.reason, 'entry');
  assert.match(session.output, /assertions: violated .*, 7 steps/);
  const lines = [await session.where()];
  const states = [await session.values('Globals')];
  for (let i = 0; i < 6; i++) {
    assert.equal((await session.move('stepIn')).reason, 'step');
    lines.push(await session.where());
    states.push(await session.values('Globals'));
  }
  assert.deepEqual(lines, [
    ['Sender:16'], ['bump:10', 'Sender:17'], ['bump:11', 'Sender:17'], ['Sender:18'],
    ['Receiver:25'], ['Receiver:26'], ['Receiver:27'],
  ]);
  const failed = await session.move('stepIn');
  assert.equal(failed.reason, 'exception');
  assert.match(failed.text, /assertion violated: assert\(v != 5\)/);
  const info = (await session.client.exceptionInfoRequest({ threadId: session.thread })).body;
  assert.equal(info.exceptionId, 'assertion');
  assert.match(info.description, /assert\(v != 5\)/);
  assert.equal((await session.move('stepIn')).reason, 'end', 'nothing comes after it');

  for (let i = 6; i >= 0; i--) {
    assert.equal((await session.move('stepBack')).reason, 'step');
    assert.deepEqual(await session.where(), lines[i], `line after ${i} steps`);
    assert.deepEqual(await session.values('Globals'), states[i], `state after ${i} steps`);
  }
  const beginning = await session.move('stepBack');
  assert.equal(beginning.reason, 'entry');
  assert.match(beginning.text, /no step to take back/);
  await session.move('stepIn');
  assert.deepEqual(await session.where(), lines[1], 'forward again, the same way');
});

test('continue runs to the violation, reverse continue to the beginning', async (t) => {
  const session = await launch(t, { ...assertions, property: 'auto' });
  assert.equal((await session.move('continue')).reason, 'exception');
  assert.equal(await session.value('v', await session.threadOf('Receiver(1)')), '5');
  assert.equal((await session.move('reverseContinue')).reason, 'entry');
  assert.equal(await session.value('mode'), 'idle');
});

test('next goes to the next statement of the same process', async (t) => {
  const session = await launch(t, assertions);
  const receiver = await session.threadOf('Receiver(1)');
  const stop = await session.move('next', { threadId: receiver });
  assert.equal(stop.threadId, receiver);
  assert.deepEqual(await session.where(), ['Receiver:26'], 'four steps of Sender, and one of Receiver');
  assert.equal(await session.value('n'), '1');
  await session.move('next');
  assert.deepEqual(await session.where(), ['Receiver:27']);
  const sender = await session.threadOf('Sender(0)');
  assert.deepEqual(await session.where(sender), ['Sender:19'], 'the other one has not moved');
});

test('step out leaves the inline', async (t) => {
  const session = await launch(t, assertions);
  await session.move('stepIn');
  assert.deepEqual(await session.where(), ['bump:10', 'Sender:17']);
  await session.move('stepOut');
  assert.deepEqual(await session.where(), ['Sender:18']);
});

test('threads are the processes that exist', async (t) => {
  const session = await launch(t, assertions);
  assert.deepEqual((await session.threads()).map((thread) => thread.name), ['Sender(0)', 'Receiver(1)']);
  const receiver = await session.threadOf('Receiver(1)');
  const [frame] = await session.frames(receiver);
  assert.equal(frame.source.path, model('handshake.pml'));
  assert.deepEqual([frame.line, frame.column, frame.endColumn], [25, 3, 11]);
});

test('a deadlock says who waits for what', async (t) => {
  const session = await launch(t, { program: model('locks.pml'), property: 'deadlock' });
  const stop = await session.move('continue');
  assert.equal(stop.reason, 'exception');
  assert.equal(stop.text, 'invalid end state');
  const info = (await session.client.exceptionInfoRequest({ threadId: stop.threadId })).body;
  assert.equal(info.exceptionId, 'deadlock');
  assert.match(info.description, /First\(0\) waits in line 5/);
  assert.match(info.description, /Second\(1\) waits in line 11/);
  assert.deepEqual(await session.values('Globals'), { a: '1', b: '1' });
  assert.deepEqual(await session.targets(), []);
  await session.move('stepBack');
  assert.ok((await session.targets()).length > 0);
});

test('step out of an atomic run', async (t) => {
  const session = await launch(t, { program: model('locks.pml'), property: 'deadlock' });
  await session.move('stepIn');
  const [frame] = await session.frames();
  const { line } = frame;
  assert.ok([4, 5, 10, 11].includes(line), 'inside an atomic');
  await session.move('stepOut');
  assert.notEqual((await session.values('Globals')).a + (await session.values('Globals')).b, '00');
});

test('a cycle goes round, and back', async (t) => {
  const session = await launch(t, { program: model('cycle.pml'), property: 'reached' });
  assert.match(session.output, /reached: violated .*, 2 steps, the last 1 for ever|reached: violated .* for ever/);
  const begins = await session.move('continue');
  assert.equal(begins.reason, 'exception');
  assert.match(begins.text, /the cycle begins here/);
  const start = await session.values('Globals');
  const complete = await session.move('continue');
  assert.match(complete.text, /the cycle is complete/);
  assert.deepEqual(await session.values('Globals'), start);
  const again = await session.move('continue');
  assert.match(again.text, /the cycle is complete/);
  assert.deepEqual(await session.values('Globals'), start);
  const back = await session.move('reverseContinue');
  assert.match(back.text, /the cycle begins here/);
  assert.equal((await session.move('reverseContinue')).reason, 'entry');
  assert.deepEqual(await session.values('Globals'), { x: '0' });
});

test('the start of a cycle is passed by where nobody wants to stop', async (t) => {
  const session = await launch(t, { program: model('cycle.pml'), property: 'reached' }, { filters: ['assertion'] });
  assert.match((await session.move('continue')).text, /the cycle is complete/);
});

test('another successor leaves the trail, and taking it back leads back', async (t) => {
  const session = await launch(t, { program: model('locks.pml'), property: 'deadlock' });
  const trail = [await session.where()];
  const targets = await session.targets();
  const [other] = targets.filter((target) => !target.label.includes('(comes next)'));
  assert.equal(targets.length, 2);
  await session.move('stepIn', { targetId: other.id });
  assert.match(session.output, /the counterexample is left here/);
  await session.move('stepBack');
  const back = await session.targets();
  const own = back.find((target) => target.label.split(' (')[0] !== other.label);
  assert.ok(back.find((target) => target.label.startsWith(other.label)).label.includes('(comes next)'));
  await session.move('stepIn', { targetId: own.id });
  assert.equal((await session.move('continue')).reason, 'exception', 'the trail is followed again');
  assert.equal((await session.move('reverseContinue')).reason, 'entry');
  assert.deepEqual(await session.where(), trail[0]);
});

test('a claim shows how it comes to be violated', async (t) => {
  const session = await launch(t, { program: model('cycle.pml'), property: 'reached' });
  const claim = await session.scope('Claim');
  assert.deepEqual(Object.keys(claim), ['reached', 'x == 7', 'automaton', 'cycle']);
  assert.equal(claim.reached.value, '<>(x == 7)');
  assert.deepEqual([claim['x == 7'].value, claim['x == 7'].evaluateName], ['false', 'x == 7']);
  assert.match(claim.automaton.value, /^\d+ \(accepting\) → \d+ \(accepting\)$/);
  const edges = await session.variables(claim.automaton.variablesReference);
  assert.deepEqual(Object.values(edges).map((edge) => edge.value), ['!(x == 7)']);
  assert.match(claim.cycle.value, /^begins after step \d+$/);
  await session.move('continue');
  assert.match((await session.values('Claim')).cycle, /^begins after step \d+; 0 of its \d+ steps are done, round 1$/);
  await session.move('continue');
  assert.match((await session.values('Claim')).cycle, /0 of its \d+ steps are done, round 2$/);
  await session.move('reverseContinue');
  await session.move('reverseContinue');
  assert.deepEqual((await session.values('Claim')).cycle, claim.cycle.value);
});

test('the automaton goes along, and comes to its end where the claim is lost', async (t) => {
  const session = await launch(t, { program: model('claims.pml'), property: 'order' });
  const seen = [];
  for (let stop = session.first; ; stop = await session.move('stepIn')) {
    const { automaton, cycle, ...propositions } = await session.values('Claim');
    seen.push([automaton, propositions['mode == busy'], propositions['turns[n] > 1']]);
    assert.match(cycle, /no continuation is as it should be/);
    if (stop.reason === 'end') break;
  }
  assert.match(seen.at(-1)[0], /→ \d+ \(accepting\)$/);
  assert.ok(seen.slice(0, -1).every(([automaton]) => !automaton.endsWith('(accepting)')));
  assert.deepEqual(seen.map(([, busy]) => busy), ['false', 'true', 'true']);
  assert.deepEqual(seen.map(([, , many]) => many), ['false', 'false', 'true']);
  // Whatever comes next, one state leads on to the other.
  for (let i = 1; i < seen.length; i++) assert.equal(seen[i][0].split(' ')[0], seen[i - 1][0].split('→ ')[1].split(' ')[0]);
});

test('propositions are written as in the model, and a run may end', async (t) => {
  const claim = async (property) => (await launch(t, { program: model('claims.pml'), property })).values('Claim');
  const waits = await claim('waits');
  assert.match(waits.cycle, /the run stays for ever where it is after step \d+/);
  assert.equal(waits['len(q) > 0'], 'false');
  assert.equal((await claim('at'))['P@last'], 'false');
});

test('where no claim is violated, or its trail is left, none is shown', async (t) => {
  const scopes = async (session) => {
    const [frame] = await session.frames();
    return (await session.client.scopesRequest({ frameId: frame.id })).body.scopes.map((scope) => scope.name);
  };
  assert.ok(!(await scopes(await launch(t, assertions))).includes('Claim'));
  const session = await launch(t, { program: model('cycle.pml'), property: 'reached' });
  await session.move('continue');
  const other = (await session.targets()).find((target) => !target.label.includes('(comes next)'));
  await session.move('stepIn', { targetId: other.id });
  assert.ok(!(await scopes(session)).includes('Claim'));
  await session.move('stepBack');
  assert.ok((await scopes(session)).includes('Claim'));
});
