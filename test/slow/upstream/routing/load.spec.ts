import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../../sandbox/src/scripted/scripted-provider.js';
import type { Key } from '../../../support/gateway.js';
import { respondToChat } from '../../../support/scripted-upstream-responses.js';
import { until } from '../../../support/until.js';
import { RoutedGateway } from '../../../upstream/routing/routed-gateway.js';

const CLIENTS = 50;
/** Most clients wait for a provider at any time, so that the process is not busy. */
const PAUSE_MS = { head: 200, chunk: 20 };
const PATH = '/v1/chat/completions';

/** The requests that one provider has received and completed, by the marker in the body. */
class Ledger {
  readonly received = new Set<string>();
  readonly begun = new Set<string>();
  readonly hung = new Set<string>();
  readonly completed = new Set<string>();
  /** Number of open streams whose second chunk was sent. */
  streams = 0;
  mode: 'serve' | 'hang' | 'reject' = 'serve';

  readonly script: Script = async (request, response) => {
    const marker = String(request.json()['user']);
    this.received.add(marker);
    response.on('finish', () => response.statusCode === 200 && this.completed.add(marker));
    if (this.mode === 'hang') return void this.hung.add(marker);
    if (this.mode === 'reject')
      return { status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'limit' } } };
    await pause(PAUSE_MS.head);
    if (response.destroyed) return;
    this.begun.add(marker);
    const reply = await respondToChat(request, response);
    return reply && { ...reply, pauseMs: (index) => this.pauseBefore(index, response) };
  };

  private pauseBefore(index: number, response: ServerResponse): number {
    if (index === 2) {
      this.streams += 1;
      response.once('close', () => (this.streams -= 1));
    }
    return PAUSE_MS.chunk;
  }
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
    await until(() => this.outcomes.length >= length + count);
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

/** Long, because clients, gateway and providers share one process. A shorter one would fail requests that are served. */
const HEAD_MS = 20_000;

describe.each([true, false])('50 clients of two upstreams (repeat_sent: %s)', (repeatSent) => {
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
      { GW_UPSTREAM_HEAD_TIMEOUT_MS: String(HEAD_MS) },
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

  if (repeatSent) {
    test('all clients are served while one upstream hangs, which soon gets few requests', async () => {
      const load = new Load(routed, key, 'hang');
      const { first, second } = ledgers;
      await load.more(CLIENTS);
      first.mode = 'hang';
      const from = first.received.size;
      await load.more(4 * CLIENTS);
      // Requests that were under way when the third one timed out, and some attempts to return.
      expect(first.received.size - from).toBeLessThan(2 * CLIENTS);
      first.mode = 'serve';
      await load.more(CLIENTS);
      await load.stop();
      expect([load.markers('refused').length, [...load.reasons], load.markers('cut')]).toEqual([0, [], []]);
      for (const marker of first.hung)
        expect([marker, first.completed.has(marker), second.completed.has(marker)]).toEqual([marker, false, true]);
      await routed.idle();
    });
  } else {
    test('all clients are served while one upstream responds with 429, which serves them again afterwards', async () => {
      const load = new Load(routed, key, 'reject');
      const { first, second } = ledgers;
      await load.more(CLIENTS);
      first.mode = 'reject';
      await load.more(4 * CLIENTS);
      const rejected = first.received.size - first.completed.size;
      expect(rejected).toBeLessThan(2 * CLIENTS);
      first.mode = 'serve';
      const served = first.completed.size;
      await until(() => first.completed.size > served + CLIENTS);
      await load.stop();
      expect([load.markers('refused').length, [...load.reasons], load.markers('cut')]).toEqual([0, [], []]);
      expect(
        load.markers('served').filter((marker) => !first.completed.has(marker) && !second.completed.has(marker)),
      ).toEqual([]);
      expect(both(first, second)).toEqual([]);
      await routed.idle();
    });
  }

  test('only requests whose provider was killed while it served them are lost, and none is completed twice', async () => {
    const load = new Load(routed, key, 'kill');
    await load.more(CLIENTS);
    const { first, second } = ledgers;
    for (let round = 0; round < 3; round++) {
      await until(() => first.streams > 0);
      await routed.provider('first').stop();
      await load.more(CLIENTS);
      await routed.restart('first');
      listen('first');
      const served = first.completed.size;
      await until(() => first.completed.size > served);
    }
    await load.stop();
    expect(load.outcomes.length).toBeGreaterThan(4 * CLIENTS);
    expect(load.markers('cut').length).toBeGreaterThan(0);
    // The first byte of these had reached the client, or the provider may have processed them and the operator forbids a repetition.
    for (const marker of load.markers('cut')) expect([marker, first.begun.has(marker)]).toEqual([marker, true]);
    if (repeatSent) expect([load.markers('refused').length, [...load.reasons]]).toEqual([0, []]);
    for (const marker of load.markers('refused'))
      expect([marker, second.received.has(marker)]).toEqual([marker, false]);
    expect(load.markers('refused').filter((marker) => first.completed.has(marker))).toEqual([]);
    expect(both(first, second)).toEqual([]);
    await routed.idle();
  });
});
