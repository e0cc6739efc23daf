import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { StatsWriter } from '../../../../../src/stats/stats-writer.service.js';
import type { Key } from '../../../../support/gateway.js';
import { BOUNDARY, file, formOf, text } from '../../../../support/multipart-forms.js';
import { until } from '../../../../support/until.js';
import { RoutedGateway } from '../../../../upstream/routing/routed-gateway.js';
import { FailingProviders, INPUT_TOKENS } from './failing-providers.js';
import { FAILURES, TRANSPORTS, type ProviderFailure, type Transport } from './provider-failures.data.js';

const STRATEGIES = ['ordered', 'weighted', 'sticky'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** The failing provider of a weighted or sticky route should get three of four requests. */
const WEIGHT = 3;
/** Uploads name no conversation, so a sticky route keeps the requests of a key together. */
const KEYS = 16;
const PATIENT = { connectMs: 60_000, headMs: 60_000, idleMs: 60_000 };
const FAILED_MAX = 2;

const nameOf = (failure: ProviderFailure) => `p${FAILURES.indexOf(failure)}`;
const modelOf = (strategy: Strategy, failure: ProviderFailure) => `${strategy}-${nameOf(failure)}`;

/** One combination of failure, strategy and transport. */
interface Cell {
  readonly failure: ProviderFailure;
  readonly model: string;
  readonly transport: Transport;
  sent: number;
  /** Requests that the client did not get a complete response to. */
  readonly unserved: string[];
}

const ROUTES = STRATEGIES.map((strategy) => {
  const names = FAILURES.map(nameOf);
  const weighted = (name: string) => ({ name, weight: name === 'good' ? 1 : WEIGHT });
  return {
    models: `${strategy}-*`,
    upstreams: strategy === 'ordered' ? [...names, 'good'] : [...names, 'good'].map(weighted),
    ...(strategy === 'sticky' && { sticky: 'conversation' }),
  };
});

const READ_LOGGED = `
  select model, count(*)::int as requests, sum(input_tokens)::int as input_tokens
    from request_logs where key_id = any($1) group by model`;

let providers: FailingProviders;
let routed: RoutedGateway;
let keys: Key[];
/** The clock of the pauses. It moves only between requests, so that a slow machine changes nothing. */
let nowMs = 0;
let markers = 0;

beforeAll(async () => {
  providers = await FailingProviders.start();
  const models = (failures: readonly ProviderFailure[]) =>
    failures.flatMap((failure) => STRATEGIES.map((strategy) => modelOf(strategy, failure)));
  const upstreams = FAILURES.map((failure) => ({
    name: nameOf(failure),
    base_url: providers.urlOf(failure),
    models: models([failure]),
    timeouts: failure.timeouts ?? {},
    tls: { ca: providers.authorityFile },
  }));
  const names = [...upstreams.map(({ name }) => name), 'good'];
  routed = await RoutedGateway.start(
    {
      upstreams: [...upstreams, { name: 'good', models: models(FAILURES) }],
      routes: ROUTES,
      failover_deadline: 60_000,
    },
    {},
    { providers: new Map(names.map((name) => [name, providers.provider])) },
  );
});
beforeEach(async () => {
  routed.reset(() => nowMs);
  providers.reset();
  keys = await Promise.all(Array.from({ length: KEYS }, () => routed.gateway.createKey()));
});
afterEach(() => routed.idle());
afterAll(async () => {
  await routed.stop();
  await providers.stop();
});

const cellsOf = (strategy: Strategy, transport: Transport): Cell[] =>
  FAILURES.map((failure) => ({ failure, model: modelOf(strategy, failure), transport, sent: 0, unserved: [] }));

/** Each cell sends one request. */
async function sendFrom(cells: readonly Cell[]): Promise<void> {
  await Promise.all(cells.map((cell) => send(cell)));
}

async function send(cell: Cell): Promise<void> {
  const marker = `marker-${(markers += 1)}-`;
  cell.sent += 1;
  if (!(await isServed(cell, marker, keys[cell.sent % KEYS]!))) cell.unserved.push(marker);
}

async function isServed({ model, transport }: Cell, marker: string, key: Key): Promise<boolean> {
  try {
    const response =
      transport === 'upload' ? await upload(model, marker, key) : await chat(model, marker, key, transport);
    const isWhole = transport === 'stream' ? response.text.endsWith('data: [DONE]\n\n') : response.text.endsWith('}');
    return response.status === 200 && isWhole && !response.text.includes('"error"');
  } catch {
    // The connection broke.
    return false;
  }
}

const chat = (model: string, marker: string, key: Key, transport: Transport) =>
  routed.gateway.chat(key, {
    model,
    messages: [{ role: 'user', content: marker }],
    ...(transport === 'stream' && { stream: true, stream_options: { include_usage: true } }),
  });

const upload = (model: string, marker: string, key: Key) =>
  routed.gateway.call('POST', '/v1/audio/transcriptions', {
    key,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: formOf([file('file'), text('model', model), text('prompt', marker)]),
  });

/** Compares the views of the clients, the providers and the gateway's own records. */
async function outcomesOf(cells: readonly Cell[]) {
  const total = cells.reduce((sum, { sent }) => sum + sent, 0);
  const { app } = routed.gateway;
  const read = () =>
    app
      .get(DataSource)
      .query<{ model: string; requests: number; input_tokens: number }[]>(READ_LOGGED, [keys.map(({ id }) => id)]);
  await until(async () => {
    await app.get(StatsWriter).flush();
    return (await read()).reduce((sum, { requests }) => sum + requests, 0) >= total;
  });
  const logged = await read();
  return cells.map((cell) => {
    const { failure, model, unserved, sent } = cell;
    const row = logged.find((each) => each.model === model);
    return {
      failure: failure.name,
      // Only a request that its provider might have processed cannot be repeated.
      unserved:
        unserved.filter((marker) => !providers.charges.has(marker)).length + (failure.isBilled ? 0 : unserved.length),
      recorded: row?.requests === sent,
      countedOnce: failure.isBilled || row?.input_tokens === sent * INPUT_TOKENS,
    };
  });
}

const expectedOf = (cells: readonly Cell[]) =>
  cells.map(({ failure }) => ({ failure: failure.name, unserved: 0, recorded: true, countedOnce: true }));

async function expectNoAvoidableFailure(cells: readonly Cell[]): Promise<void> {
  expect(await outcomesOf(cells)).toEqual(expectedOf(cells));
  expect([...providers.charges].filter(([, charges]) => charges > 1)).toEqual([]);
}

/** The failures of which too many requests reached the provider. */
const tooOften = () =>
  [...providers.failed].filter(([, failed]) => failed > FAILED_MAX).map(([{ name }, failed]) => [name, failed]);

const isWorking = ({ failure, model }: Cell): boolean => {
  const { pressure, breaker } = routed.upstream(nameOf(failure));
  return (
    pressure.shareOf(model, 'inference') === 1 && pressure.statusOf(model, 'inference') === 'ready' && !breaker.open
  );
};

function recover(): void {
  providers.failNext(0);
  for (const failure of FAILURES) Object.assign(routed.upstream(nameOf(failure)).limits, PATIENT);
}

function restoreTimeouts(): void {
  for (const failure of FAILURES) {
    const { connect_ms: connectMs, head_ms: headMs, idle_ms: idleMs } = failure.timeouts ?? {};
    const own = { ...(connectMs && { connectMs }), ...(headMs && { headMs }), ...(idleMs && { idleMs }) };
    Object.assign(routed.upstream(nameOf(failure)).limits, PATIENT, own);
  }
}

/** @returns the cells whose provider does not get its share again within a minute */
async function withoutShareAfterAMinute(cells: readonly Cell[]): Promise<Cell[]> {
  let waiting = [...cells];
  const endMs = nowMs + 60_000;
  while (nowMs < endMs) {
    waiting = waiting.filter((cell) => !isWorking(cell));
    if (waiting.length === 0) break;
    // The longest pause takes 45 s. Then the share grows with each success.
    nowMs += endMs - nowMs > 20_000 ? 5_000 : 100;
    await sendFrom(waiting);
  }
  return waiting.filter((cell) => !isWorking(cell));
}

describe.each(STRATEGIES)('an %s route', (strategy) => {
  test.each(TRANSPORTS)('serves all requests if the first %s request fails', async (transport) => {
    const cells = cellsOf(strategy, transport);
    restoreTimeouts();
    providers.failNext(1);
    for (let round = 0; round < 5; round++) {
      await sendFrom(cells);
      nowMs += 50;
    }
    await expectNoAvoidableFailure(cells);
    recover();
    expect(await withoutShareAfterAMinute(cells)).toEqual([]);
  });

  test.each(TRANSPORTS)('keeps %s requests away from an upstream that fails permanently', async (transport) => {
    const cells = cellsOf(strategy, transport);
    restoreTimeouts();
    providers.failNext(Infinity);
    for (let round = 0; round < 100; round++) {
      await sendFrom(cells);
      nowMs += 50;
    }
    await expectNoAvoidableFailure(cells);
    expect(tooOften()).toEqual([]);
    expect(providers.failed.size).toBe(FAILURES.filter(({ connect }) => connect === undefined).length);
  });

  test.each(TRANSPORTS)(
    'gives an upstream its share of %s requests within a minute after a long failure',
    async (transport) => {
      const cells = cellsOf(strategy, transport);
      restoreTimeouts();
      providers.failNext(Infinity);
      // The pauses have grown to their maximum, and the last one has just begun.
      for (const pauseMs of [0, 0, 10_000, 20_000, 40_000, 45_000, 45_000]) {
        nowMs += pauseMs;
        for (let round = 0; round < 3; round++) await sendFrom(cells);
      }
      await expectNoAvoidableFailure(cells);
      recover();
      expect((await withoutShareAfterAMinute(cells)).map(({ failure }) => failure.name)).toEqual([]);
      await expectNoAvoidableFailure(cells);
    },
  );
});
