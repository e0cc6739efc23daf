import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../sandbox/src/scripted/scripted-provider.js';
import type { Key } from '../support/gateway.js';
import { respondToChat } from '../support/scripted-upstream-responses.js';
import { until } from '../support/until.js';
import { RoutedGateway } from './routed-gateway.js';

const CLIENTS = 100;
const PATH = '/v1/chat/completions';

/** The requests that one provider has received and completed, by the marker in the body. */
class Ledger {
  readonly received = new Set<string>();
  readonly begun = new Set<string>();
  readonly hung = new Set<string>();
  readonly completed = new Set<string>();
  mode: 'serve' | 'hang' | 'reject' = 'serve';

  readonly script: Script = async (request, response) => {
    const marker = String(request.json()['user']);
    this.received.add(marker);
    response.on('finish', () => response.statusCode === 200 && this.completed.add(marker));
    if (this.mode === 'hang') return void this.hung.add(marker);
    if (this.mode === 'reject')
      return { status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'limit' } } };
    await pause(3);
    if (response.destroyed) return;
    this.begun.add(marker);
    return respondToChat(request, response);
  };
}

interface Outcome {
  readonly marker: string;
  readonly kind: 'served' | 'cut' | 'refused';
}

/** Clients that send one request after the other, buffered and streamed, until they are stopped. */
class Load {
  readonly outcomes: Outcome[] = [];
  readonly reasons = new Set<string>();
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(
    private readonly routed: RoutedGateway,
    private readonly key: Key,
    private readonly name: string,
  ) {
    this.running = Array.from({ length: CLIENTS }, (_, client) => this.client(client));
  }

  async more(count: number): Promise<void> {
    const { length } = this.outcomes;
    await until(() => this.outcomes.length >= length + count, 60_000);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  markers(kind: Outcome['kind']): string[] {
    return this.outcomes.filter((outcome) => outcome.kind === kind).map(({ marker }) => marker);
  }

  private async client(client: number): Promise<void> {
    for (let at = 0; !this.stopped; at++) {
      const marker = `${this.name}-${client}-${at}`;
      const stream = (client + at) % 2 === 0;
      const kind = await this.routed.gateway.chat(this.key, { user: marker, stream }).then(
        ({ status, text }) => {
          if (status !== 200) {
            this.reasons.add(`${status} ${text.replace(/req_\w+|"request_id":"[^"]*"/, '')}`);
            return 'refused' as const;
          }
          return text.endsWith(stream ? 'data: [DONE]\n\n' : '}') ? ('served' as const) : ('cut' as const);
        },
        () => 'cut' as const,
      );
      this.outcomes.push({ marker, kind });
    }
  }
}

const both = (one: Ledger, other: Ledger) => [...one.completed].filter((marker) => other.completed.has(marker));

/** Long, because clients, gateway and providers share one busy process. A shorter one would fail requests that are served. */
const HEAD_MS = 20_000;

describe.each([
  [true, 600_000],
  [false, 600_000],
  [true, HEAD_MS],
])('100 clients of two upstreams (repeat_sent: %s, timeout %s ms)', (repeatSent, headMs) => {
  let routed: RoutedGateway;
  let key: Key;
  let ledgers: { first: Ledger; second: Ledger };
  beforeAll(async () => {
    const fields = { models: ['gpt-4o-mini'], repeat_sent: repeatSent };
    routed = await RoutedGateway.start(
      {
        upstreams: [
          { name: 'first', ...fields },
          { name: 'second', ...fields },
        ],
        routes: [
          {
            models: '*',
            upstreams: [
              { name: 'first', weight: 2 },
              { name: 'second', weight: 1 },
            ],
          },
        ],
      },
      { GW_UPSTREAM_HEAD_TIMEOUT_MS: String(headMs) },
    );
    key = await routed.gateway.createKey();
  });
  beforeEach(() => {
    routed.reset();
    ledgers = { first: new Ledger(), second: new Ledger() };
    for (const name of ['first', 'second'] as const) listen(name);
  });
  afterAll(() => routed.stop());

  const listen = (name: 'first' | 'second') => routed.provider(name).on('POST', PATH, ledgers[name].script);

  if (headMs === HEAD_MS) {
    test('all clients are served while one upstream hangs, which soon gets few requests', async () => {
      const load = new Load(routed, key, 'hang');
      const { first, second } = ledgers;
      await load.more(CLIENTS);
      first.mode = 'hang';
      const from = first.received.size;
      await load.more(3 * CLIENTS);
      // Requests that were under way when the third one timed out, and some attempts to return.
      expect(first.received.size - from).toBeLessThan(2 * CLIENTS);
      first.mode = 'serve';
      await load.more(CLIENTS);
      await load.stop();
      expect([load.markers('refused').length, [...load.reasons], load.markers('cut')]).toEqual([0, [], []]);
      for (const marker of first.hung)
        expect([marker, first.completed.has(marker), second.completed.has(marker)]).toEqual([marker, false, true]);
      await routed.idle();
    }, 240_000);
    return;
  }

  test('only requests whose provider was killed while it served them are lost, and none is completed twice', async () => {
    const load = new Load(routed, key, 'kill');
    await load.more(CLIENTS);
    const { first, second } = ledgers;
    for (let round = 0; round < 3; round++) {
      await routed.provider('first').stop();
      await load.more(CLIENTS);
      await routed.restart('first');
      listen('first');
      const served = first.completed.size;
      await until(() => first.completed.size > served);
    }
    await load.stop();
    expect(load.outcomes.length).toBeGreaterThan(4 * CLIENTS);
    // The first byte of these had reached the client, or the provider may have processed them and the operator forbids a repetition.
    for (const marker of load.markers('cut')) expect([marker, first.begun.has(marker)]).toEqual([marker, true]);
    if (repeatSent) expect([load.markers('refused').length, [...load.reasons]]).toEqual([0, []]);
    for (const marker of load.markers('refused'))
      expect([marker, second.received.has(marker)]).toEqual([marker, false]);
    expect(load.markers('refused').filter((marker) => first.completed.has(marker))).toEqual([]);
    expect(both(first, second)).toEqual([]);
    await routed.idle();
  });

  test('all clients are served while one upstream responds with 429, which serves them again afterwards', async () => {
    const load = new Load(routed, key, 'reject');
    const { first, second } = ledgers;
    await load.more(CLIENTS);
    first.mode = 'reject';
    await load.more(3 * CLIENTS);
    const rejected = first.received.size - first.completed.size;
    expect(rejected).toBeLessThan(2 * CLIENTS);
    first.mode = 'serve';
    const served = first.completed.size;
    await until(() => first.completed.size > served + CLIENTS, 30_000);
    await load.stop();
    expect([load.markers('refused').length, [...load.reasons], load.markers('cut')]).toEqual([0, [], []]);
    expect(
      load.markers('served').filter((marker) => !first.completed.has(marker) && !second.completed.has(marker)),
    ).toEqual([]);
    expect(both(first, second)).toEqual([]);
    await routed.idle();
  });
});
