import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heldBytes } from '../support/held-bytes.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { begin, CHAT_STREAMED, startForwarding, type ForwardingApp } from './forwarding-app.js';
import { until } from '../support/until.js';

const ROUTE = '/v1/chat/completions';
const AT_ONCE = 100;
const ROUNDS = 100;
/** Rounds that fill all caches and pools before memory is measured. */
const WARM = 20;
/** About 500 bytes for each client that has disconnected. */
const GROWTH_MAX = 4_000_000;

let upstream: ScriptedUpstream;
let app: ForwardingApp;
beforeAll(async () => {
  upstream = await startUpstream();
  app = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_CONNECTIONS: '20' } });
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

test('10,000 clients that disconnect in different phases leave no permit, socket, timer or memory behind', async () => {
  let requests = 0;
  const respondInTurn = () =>
    upstream.on('POST', ROUTE, (_request, response) => {
      const kind = requests++ % 3;
      if (kind === 0) return;
      response.writeHead(200, { 'content-type': kind === 1 ? 'text/event-stream' : 'application/json' });
      response.write('data: 1\n\n');
    });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const round = async (number: number) => {
    respondInTurn();
    const calls = Array.from({ length: AT_ONCE }, () => begin(app.port, { body: CHAT_STREAMED }));
    const received = upstream.received(0);
    await (number % 2 === 0 ? received : until(() => app.running > 0));
    for (const [at, call] of calls.entries()) setTimeout(() => call.destroy(), at % 7);
    await until(() => calls.every((call) => call.destroyed) && app.running === 0);
    await until(() => upstream.requests.every(({ aborted }) => aborted));
    // The memory of the test doubles must not be measured.
    upstream.reset();
    app.forget();
  };
  const timersBefore = timers();
  for (let number = 0; number < WARM; number++) await round(number);
  const heldBefore = heldBytes();
  for (let number = WARM; number < ROUNDS; number++) await round(number);
  await until(() => app.upstream.state().freeConnections === 20);
  expect(app.upstream.state()).toEqual({ freeConnections: 20, waiting: 0, breakerOpen: false });
  await until(() => upstream.connections === 0);
  await until(() => timers() <= timersBefore + 1);
  expect(heldBytes() - heldBefore).toBeLessThan(GROWTH_MAX);
}, 300_000);
