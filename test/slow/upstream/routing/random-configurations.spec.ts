import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ReceivedRequest } from '../../../../sandbox/src/scripted/received-request.js';
import type { Script } from '../../../../sandbox/src/scripted/scripted-provider.js';
import type { Response } from '../../../support/gateway.js';
import {
  answering,
  MESSAGE,
  RESPONSE as MESSAGE_RESPONSE,
  STREAM as MESSAGE_STREAM,
} from '../../../support/message-responses.js';
import { respondToChat } from '../../../support/scripted-upstream-responses.js';
import { rawUpstream, startUpstream } from '../../../support/scripted-upstream.js';
import { expectedOf, type Expected } from './expected-upstreams.js';
import { scenario, type RandomRequest, type RandomUpstream, type Scenario } from './random-configuration.js';
import { RoutedGateway } from '../../../upstream/routing/routed-gateway.js';

/** Each has eight requests. `ROUTING_SEED` repeats a run that failed. */
const CASES = Number(process.env['ROUTING_CASES'] ?? 60);
const SEED = Number(process.env['ROUTING_SEED'] ?? 1);

const NAMES = ['up-0', 'up-1', 'up-2', 'up-3', 'up-4'];
const PATHS = { openai: '/v1/chat/completions', anthropic: '/v1/messages' } as const;

interface Arrival {
  readonly upstream: string;
  readonly marker: string;
  readonly route: string;
  readonly json: Record<string, unknown>;
  completed: boolean;
}

let routed: RoutedGateway;
let closedUrl: string;
let arrivals: Arrival[] = [];
beforeAll(async () => {
  const closed = await rawUpstream(() => {});
  closedUrl = closed.url;
  await closed.stop();
  const providers = new Map(await Promise.all(NAMES.map(async (name) => [name, await startUpstream()] as const)));
  routed = await RoutedGateway.start(
    { upstreams: NAMES.map((name) => ({ name, models: ['acme-1'] })) },
    {},
    { providers },
  );
});
afterAll(() => routed.stop());

const markerOf = ({ user, metadata }: { user?: string; metadata?: { user_id: string } }): string =>
  user ?? metadata!.user_id;

const messages = answering(MESSAGE_RESPONSE, MESSAGE_STREAM);

/** Records each request, and then meets it with the fault. */
const scriptOf =
  ({ name, fault }: RandomUpstream): Script =>
  (request: ReceivedRequest, response) => {
    const json = request.json();
    const arrival: Arrival = { upstream: name, marker: markerOf(json), route: request.route, json, completed: false };
    arrivals.push(arrival);
    response.on('finish', () => (arrival.completed = response.statusCode === 200));
    if (typeof fault === 'number') return { status: fault, body: { error: { message: `status ${fault}` } } };
    if (fault === 'reset') return void response.socket!.resetAndDestroy();
    if (fault !== 'none') return;
    return request.route === `POST ${PATHS.openai}` ? respondToChat(request, response) : messages(request, response);
  };

const entryOf = ({ name, apis, models, aliases, repeat_sent, fault }: RandomUpstream) => ({
  name,
  apis,
  models,
  aliases,
  repeat_sent,
  ...(fault === 'refused' && { base_url: closedUrl }),
  ...(fault === 'hang' && { timeouts: { head_ms: 60 } }),
});

async function setUp({ upstreams, routes }: Scenario): Promise<void> {
  arrivals = [];
  routed.reload({ upstreams: upstreams.map(entryOf), routes });
  routed.reset();
  for (const upstream of upstreams)
    for (const path of Object.values(PATHS)) routed.provider(upstream.name).on('POST', path, scriptOf(upstream));
  for (const { name, drained } of upstreams)
    if (drained) await routed.gateway.admin('POST', `/admin/upstreams/${name}/drain`);
}

async function tearDown({ upstreams }: Scenario): Promise<void> {
  for (const { name, drained } of upstreams)
    if (drained) await routed.gateway.admin('POST', `/admin/upstreams/${name}/resume`);
}

function send({ api, model, nested, stream }: RandomRequest, key: string, marker: string): Promise<Response> {
  const body =
    api === 'openai'
      ? {
          model,
          stream,
          user: marker,
          messages: [{ role: 'user', content: 'Hi' }],
          ...(nested !== null && { models: [nested] }),
        }
      : { ...MESSAGE, model, stream, metadata: { user_id: marker } };
  return routed.gateway.call('POST', PATHS[api], { key, body });
}

function check(request: RandomRequest, response: Response, marker: string, expected: Expected): void {
  const { permitted, open, outcome } = expected;
  const own = arrivals.filter((arrival) => arrival.marker === marker);
  const context = JSON.stringify({
    request,
    outcome,
    permitted: [...permitted],
    open: [...open],
    status: response.status,
    text: response.text.slice(0, 300),
    own,
  });
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`${what}: ${context}`);
  };
  for (const { upstream, route, json } of own) {
    must(open.has(upstream), `${upstream} must not get the request`);
    must(json['model'] === permitted.get(upstream), `${upstream} gets the wrong model`);
    must(route === `POST ${PATHS[request.api]}`, `${upstream} gets the wrong route`);
  }
  must(new Set(own.map(({ upstream }) => upstream)).size === own.length, 'an upstream gets the request twice');
  const completed = own.filter((arrival) => arrival.completed).map(({ upstream }) => upstream);
  must(completed.length === (response.status === 200 ? 1 : 0), 'the number of completed answers is wrong');
  if (response.status === 200) must(response.headers.get('x-gw-upstream') === completed[0], 'X-GW-Upstream is wrong');
  const statuses: Record<Expected['outcome'], readonly number[]> = {
    refused: [400, 403],
    draining: [503],
    served: [200],
    failed: [502],
    'served or failed': [200, 502],
  };
  must(statuses[outcome].includes(response.status), 'the status is wrong');
}

test(`a request reaches only upstreams that are allowed to serve it, and one of them serves it (${CASES} configurations)`, async () => {
  let count = 0;
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      count += 1;
      await setUp(given);
      const keys = await Promise.all(
        given.keys.map((allowed) => routed.gateway.createKey({ allowed_models: allowed })),
      );
      const sent = given.requests.map(async (request, at) => {
        const marker = `case-${count}-${at}`;
        return { request, marker, response: await send(request, keys[request.key]!.key, marker) };
      });
      for (const { request, marker, response } of await Promise.all(sent)) {
        const expected = expectedOf(given, request);
        seen[expected.outcome] = (seen[expected.outcome] ?? 0) + 1;
        check(request, response, marker, expected);
      }
      await routed.idle();
      await tearDown(given);
    }),
    {
      numRuns: CASES,
      seed: SEED,
      endOnFailure: CASES > 100,
      interruptAfterTimeLimit: CASES > 100 ? undefined : 50_000,
    },
  );
  // Each outcome must have been tested.
  for (const outcome of ['refused', 'draining', 'served', 'failed', 'served or failed'])
    expect([outcome, seen[outcome] ?? 0]).not.toEqual([outcome, 0]);
}, 3_600_000);
