// What is shown of a state, and what can be asked of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { launch, model } from './session.mjs';

const assertions = { program: model('handshake.pml'), property: 'assertions' };

/** After the message was sent. */
async function sent(t) {
  const session = await launch(t, assertions);
  for (let i = 0; i < 4; i++) await session.move('stepIn');
  return session;
}

test('variables are trees', async (t) => {
  const session = await sent(t);
  const globals = await session.scope('Globals');
  assert.deepEqual(Object.keys(globals), ['mode', 'cell', 'turns', 'n']);
  assert.equal(globals.mode.value, 'busy');
  assert.equal(globals.mode.variablesReference, 0);
  assert.equal(globals.turns.value, '[0, 1, 0]');
  assert.equal(globals.turns.indexedVariables, 3);
  const turns = await session.variables(globals.turns.variablesReference);
  assert.equal(turns['[1]'].value, '1');
  assert.equal(turns['[1]'].evaluateName, 'turns[1]');
  const page = await session.variables(globals.turns.variablesReference, { filter: 'indexed', start: 1, count: 1 });
  assert.deepEqual(Object.keys(page), ['[1]']);
  const cell = await session.variables(globals.cell.variablesReference);
  assert.equal(cell.count.value, '0');
  const marks = await session.variables(cell.marks.variablesReference);
  assert.equal(marks['[1]'].evaluateName, 'cell.marks[1]');
});

test('locals are those of the process', async (t) => {
  const session = await sent(t);
  assert.deepEqual(await session.values('Locals', await session.threadOf('Sender(0)')), { own: '5' });
  assert.deepEqual(await session.values('Locals', await session.threadOf('Receiver(1)')), { m: '0', v: '0' });
});

test('channels show their messages', async (t) => {
  const session = await sent(t);
  const { q } = await session.scope('Channels');
  assert.equal(q.value, '1 of 2: [busy, 5]');
  const messages = await session.variables(q.variablesReference);
  assert.equal(messages['[0]'].value, 'busy, 5');
  const fields = await session.variables(messages['[0]'].variablesReference);
  assert.deepEqual(Object.values(fields).map((field) => field.value), ['busy', '5']);
  await session.move('stepIn');
  assert.equal((await session.scope('Channels')).q.value, '0 of 2');
});

test('what changed since the last stop is listed', async (t) => {
  const session = await launch(t, assertions);
  assert.deepEqual(await session.values('Changed'), {});
  await session.move('stepIn');
  assert.deepEqual(await session.values('Changed'), { mode: 'idle → busy' });
  const receiver = await session.threadOf('Receiver(1)');
  await session.move('next', { threadId: receiver });
  assert.deepEqual(await session.values('Changed'), {
    n: '0 → 1', 'turns[1]': '0 → 1', 'Receiver(1):m': '0 → busy', 'Receiver(1):v': '0 → 5',
  });
  await session.move('stepBack');
  assert.deepEqual(await session.values('Changed'), {
    q: '[] → [busy,5]', 'Receiver(1):m': 'busy → 0', 'Receiver(1):v': '5 → 0',
  });
});

test('expressions have the values they would have there', async (t) => {
  const session = await sent(t);
  const sender = await session.threadOf('Sender(0)');
  const receiver = await session.threadOf('Receiver(1)');
  const expected = {
    'own + n * 2': '7', 'mode': 'busy', 'mode == busy && !(own == 6)': '1', 'len(q)': '1', 'q ? [busy, 5]': '1',
    'q ? [idle, _]': '0', 'full(q)': '0', 'cell.marks[turns[1]]': '0', '_pid': '0', '_nr_pr': '2',
    'Receiver:v': '0', 'Receiver[1]:v + 1': '1', '(own > 3 -> 10 : 20)': '10', 'timeout': '0', 'enabled(1)': '1',
  };
  for (const [expression, value] of Object.entries(expected)) {
    assert.equal(await session.value(expression, sender), value, expression);
  }
  assert.equal(await session.value('_pid + v', receiver), '1');
  const cell = await session.evaluate('cell', { context: 'hover' });
  assert.equal(cell.result, '{count = 0, marks = [0, 0]}');
  assert.ok(cell.variablesReference > 0);
  assert.equal((await session.evaluate('q')).result, '1 of 2: [busy, 5]');
  const nobody = await session.client.evaluateRequest({ expression: 'n + 1' });
  assert.equal(nobody.body.result, '2');
});

test('bad expressions are told with their place', async (t) => {
  const session = await sent(t);
  const sender = await session.threadOf('Sender(0)');
  for (const [expression, told] of [
    ['own + nothing', /`nothing` is not declared \(column 7/],
    ['own + v', /`v` is not declared/],
    ['own + * 2', /column 7/],
    ['turns', null],
    ['turns[own]', /array index 5 out of bounds/],
    ['1 / (n - 1)', /division by zero/],
    ['run Sender()', /run Sender/],
    ['own = 3', /column 5/],
    ['', /expected/],
    ['1) ; byte z = (1', /column|not one expression/],
    ['turns + 1', /needs an index/],
    ['cell + 1', /a value is needed/],
    ['P@x', /./],
  ]) {
    if (told) await assert.rejects(session.value(expression, sender), told, expression);
    else assert.equal(await session.value(expression, sender), '[0, 1, 0]');
  }
  assert.equal(await session.value('n', sender), '1', 'nothing happened');
});
