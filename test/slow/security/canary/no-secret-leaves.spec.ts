import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callAdmin, callDashboard, makeKeys, whenDelivered } from './admin-traffic.js';
import { callApi, callWithoutUpstream, CONTENT } from './api-traffic.js';
import { scriptProvider } from './scripted-provider.js';
import { WatchedGateway } from './watched-gateway.js';

/** Four key creations, one rotation and one revocation. */
const EVENTS = 6;

// Node rejects these requests before the gateway sees them, so they have no line in the access log.
const UNLOGGED = ['400 malformed HTTP', '431 long head'];

/** Sends every kind of traffic, and then inspects everything that the gateway wrote or sent (D24). */
let gateway: WatchedGateway;
beforeAll(async () => {
  gateway = await WatchedGateway.start();
  scriptProvider(gateway.upstream, gateway.canaries.plant(CONTENT));
  const keys = await makeKeys(gateway);
  await callApi(gateway, keys);
  await callDashboard(gateway);
  await callAdmin(gateway, keys);
  await callWithoutUpstream(gateway, keys.caller);
  await whenDelivered(gateway, EVENTS);
  await gateway.finish();
});
afterAll(() => gateway.release());

const seen = (text: string) => gateway.canaries.in(text);

describe('canaries in credentials, headers, queries and bodies', () => {
  test('the log contains no canary', () => {
    const { stdout, stderr } = gateway.process;
    const unlogged = gateway.responses.filter(({ headers }) => !stdout.includes(headers.get('x-request-id')!));
    expect(unlogged.map(({ name }) => name)).toEqual(UNLOGGED);
    expect(seen(stdout + stderr)).toEqual([]);
  });

  test('no table row contains a canary', () => {
    for (const table of ['api_keys', 'audit_logs', 'request_logs', 'operators', 'webhooks', 'webhook_deliveries'])
      expect(gateway.rows).toMatch(new RegExp(`^public\\.${table}\\S* \\{`, 'm'));
    expect(gateway.rows).toContain('not signed with');
    expect(
      gateway.rows.split('\n').flatMap((row) => seen(row).map((name) => `${name} in ${row.split(' ')[0]}`)),
    ).toEqual([]);
  });

  test('the metrics contain no canary', () => {
    expect(gateway.metrics).toMatch(/^gateway_requests_total\{.*status="502"/m);
    expect(seen(gateway.metrics)).toEqual([]);
  });

  test('the traces contain no canary', () => {
    expect(gateway.traces.spans.length).toBeGreaterThan(40);
    expect(seen(gateway.traces.text)).toEqual([]);
  });

  test('webhook requests contain no canary', () => {
    const sent = gateway.receiver.received.map(({ path, headers, text }) => path + JSON.stringify(headers) + text);
    expect(seen(sent.join('\n'))).toEqual([]);
  });
});

test('a response contains only the canaries that it must contain', () => {
  const shown = gateway.responses.map(({ name, headers, text }) => [name, seen(JSON.stringify([...headers]) + text)]);
  expect(shown).toEqual(gateway.responses.map(({ name, shows }) => [name, [...shows].sort()]));
});

test('the upstream gets only the content meant for it and the provider account’s own credential', () => {
  const requests = gateway.upstream.requests.map(({ method, path, headers, body }) => ({
    call: `${method} ${path.split('?')[0]}`,
    names: seen(`${path} ${JSON.stringify(headers)} ${body.toString()}`),
  }));
  const [intended, others] = [new Set<string>(), new Set<string>()];
  for (const { call, names } of requests)
    for (const name of names) {
      if (name.startsWith('up: ')) intended.add(name);
      else others.add(`${call === 'POST /v1/messages' ? 'messages' : 'others'}: ${name}`);
    }
  expect([...intended].sort()).toEqual(gateway.canaries.names.filter((name) => name.startsWith('up: ')).sort());
  expect([...others].sort()).toEqual(["messages: the account's key for messages", "others: the account's key"]);
});
