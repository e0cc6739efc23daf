import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callAdmin, callDashboard, makeKeys, whenTold } from './admin-traffic.js';
import { callApi, callNobody, CONTENT } from './api-traffic.js';
import { scriptProvider } from './scripted-provider.js';
import { WatchedGateway } from './watched-gateway.js';

/** Created four times, rotated and revoked once. */
const EVENTS = 6;

/** What no HTTP server takes for a request has no line in the access log. */
const UNLOGGED = ['400 no HTTP', '431 long head'];

/** Traffic of every kind, then a look at all that the gateway has left behind (D24). */
let gateway: WatchedGateway;
beforeAll(async () => {
  gateway = await WatchedGateway.start();
  scriptProvider(gateway.upstream, gateway.canaries.plant(CONTENT));
  const keys = await makeKeys(gateway);
  await callApi(gateway, keys);
  await callDashboard(gateway);
  await callAdmin(gateway, keys);
  await callNobody(gateway, keys.caller);
  await whenTold(gateway, EVENTS);
  await gateway.finish();
}, 60_000);
afterAll(() => gateway.release());

const seen = (text: string) => gateway.canaries.in(text);

describe('of every credential, header, query and body that a gateway gets to see there is nothing', () => {
  test('in its log', () => {
    const { stdout, stderr } = gateway.process;
    const unlogged = gateway.answers.filter(({ headers }) => !stdout.includes(headers.get('x-request-id')!));
    expect(unlogged.map(({ name }) => name)).toEqual(UNLOGGED);
    expect(seen(stdout + stderr)).toEqual([]);
  });

  test('in any row of any table', () => {
    for (const table of ['api_keys', 'audit_logs', 'request_logs', 'operators', 'webhooks', 'webhook_deliveries'])
      expect(gateway.rows).toMatch(new RegExp(`^public\\.${table}\\S* \\{`, 'm'));
    expect(gateway.rows).toContain('not signed with');
    expect(
      gateway.rows.split('\n').flatMap((row) => seen(row).map((name) => `${name} in ${row.split(' ')[0]}`)),
    ).toEqual([]);
  });

  test('in its metrics', () => {
    expect(gateway.metrics).toMatch(/^gateway_requests_total\{.*status="502"/m);
    expect(seen(gateway.metrics)).toEqual([]);
  });

  test('in its traces', () => {
    expect(gateway.traces.spans.length).toBeGreaterThan(40);
    expect(seen(gateway.traces.text)).toEqual([]);
  });

  test('in what webhooks are sent', () => {
    const sent = gateway.receiver.received.map(({ path, headers, text }) => path + JSON.stringify(headers) + text);
    expect(seen(sent.join('\n'))).toEqual([]);
  });
});

test('an answer shows what it is there to show and nothing else, an error nothing that was sent to it', () => {
  const shown = gateway.answers.map(({ name, headers, text }) => [name, seen(JSON.stringify([...headers]) + text)]);
  expect(shown).toEqual(gateway.answers.map(({ name, shows }) => [name, [...shows].sort()]));
});

test('the upstream gets what is meant for it, and of all credentials the one of the account', () => {
  const requests = gateway.upstream.requests.map(({ method, path, headers, body }) => ({
    call: `${method} ${path.split('?')[0]}`,
    names: seen(`${path} ${JSON.stringify(headers)} ${body.toString()}`),
  }));
  const [forIt, others] = [new Set<string>(), new Set<string>()];
  for (const { call, names } of requests)
    for (const name of names) {
      if (name.startsWith('up: ')) forIt.add(name);
      else others.add(`${call === 'POST /v1/messages' ? 'messages' : 'others'}: ${name}`);
    }
  expect([...forIt].sort()).toEqual(gateway.canaries.names.filter((name) => name.startsWith('up: ')).sort());
  expect([...others].sort()).toEqual(["messages: the account's key for messages", "others: the account's key"]);
});
