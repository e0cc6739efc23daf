import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config, ConfigError } from '../../../src/platform/config/config.js';
import { ModelProbes } from '../../../src/model-policy/model-probes.service.js';
import { until } from '../../support/until.js';
import { TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import type { Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

const SYSTEM = { type: 'system', id: null, requestId: '', ip: '' } as const;
const MODELS = ['gpt-4o', 'o1', 'acme-one', 'acme-two', 'acme-three', 'gpt-4o-realtime-preview'];
/** All models except the realtime model, which cannot be probed over HTTP. */
const PROBED = MODELS.slice(0, -1).sort();

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let gateways: TestGateway[];
/** The upstream's status for a model. The default is 200. */
let statuses: Record<string, number>;
beforeEach(async () => {
  upstream = await startUpstream();
  scratch = await createScratchDatabase();
  gateways = [];
  statuses = {};
  const data = MODELS.map((id) => ({ id }));
  upstream.on('GET', '/v1/models', (_request, response) => void response.end(JSON.stringify({ data })));
  upstream.on('POST', '/v1/chat/completions', respond);
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop();
  await upstream.stop();
  await scratch.drop();
});

const respond: Script = (request, response) =>
  void response.writeHead(statuses[String(request.json()['model'])] ?? 200).end('{}');
const start = async (env: Record<string, string> = {}) => {
  const gateway = await TestGateway.start(env, { upstream, databaseUrl: scratch.url });
  gateways.push(gateway);
  return gateway;
};
const run = (gateway: TestGateway, signal = new AbortController().signal) =>
  gateway.app.get(ModelProbes).probeAll(SYSTEM, signal);
const stored = async (gateway: TestGateway) => {
  const rows = await gateway.app
    .get(DataSource)
    .query<{ model: string; verdict: string }[]>('select model, verdict from model_probes order by model');
  return Object.fromEntries(rows.map(({ model, verdict }) => [model, verdict]));
};
const probedModels = () =>
  upstream.requests.filter(({ method }) => method === 'POST').map((request) => String(request.json()['model']));

describe('probe run over all models', () => {
  test('stores each verdict, and writes an audit row only for those that changed', async () => {
    const gateway = await start();
    await gateway.admin('POST', '/admin/models/acme-one/probe');
    statuses = { 'acme-two': 404, o1: 500 };
    expect(await run(gateway)).toEqual({ models: 5, failed: 2, stored: true });
    expect(await stored(gateway)).toEqual({
      'acme-one': 'callable',
      'acme-three': 'callable',
      'acme-two': 'listed_unavailable',
      'gpt-4o': 'callable',
    });
    const rows = await gateway.app
      .get(DataSource)
      .query<{ target_id: string }[]>(
        `select target_id from audit_logs where action = 'model.probed' and actor_type = 'system' order by target_id`,
      );
    expect(rows.map(({ target_id }) => target_id)).toEqual(['acme-three', 'acme-two', 'gpt-4o']);
  });

  test('stores a run in which half of the probes fail, but not one in which more fail', async () => {
    const gateway = await start();
    upstream.on('GET', '/v1/models', (_request, response) => void response.end('{"data":[{"id":"a"},{"id":"b"}]}'));
    await gateway.admin('POST', '/admin/cache/purge');
    statuses = { a: 404 };
    expect(await run(gateway)).toEqual({ models: 2, failed: 1, stored: true });
    statuses = { a: 500, b: 404 };
    expect(await run(gateway)).toEqual({ models: 2, failed: 2, stored: false });
    expect(await stored(gateway)).toEqual({ a: 'listed_unavailable', b: 'callable' });
  });

  test('probes at most four models at a time', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => ({ id: `acme-${n}` }));
    upstream.on('GET', '/v1/models', (_request, response) => void response.end(JSON.stringify({ data: ids })));
    const gateway = await start();
    await gateway.admin('POST', '/admin/cache/purge');
    let [open, most] = [0, 0];
    const held: (() => void)[] = [];
    upstream.on('POST', '/v1/chat/completions', (_request, response) => {
      most = Math.max(most, (open += 1));
      held.push(() => {
        open -= 1;
        response.end('{}');
      });
      if (open === 4) for (const release of held.splice(0)) setImmediate(release);
    });
    expect(await run(gateway)).toMatchObject({ models: 12, failed: 0 });
    expect(most).toBe(4);
  });

  test('stores nothing if the run is aborted', async () => {
    const gateway = await start();
    const stopping = new AbortController();
    const running = run(gateway, stopping.signal);
    await until(() => probedModels().length > 0);
    stopping.abort();
    await expect(running).rejects.toThrow();
    expect(await stored(gateway)).toEqual({});
  });
});

describe('GW_PROBE_CRON', () => {
  test('probes are off by default, and a schedule that is invalid or never due prevents startup', () => {
    expect(Config.from({}).probeCron).toBeNull();
    for (const text of ['0 3 * * *', '*/30 * * * * *', '0 4 * * 1-5']) {
      expect(Config.from({ GW_PROBE_CRON: text }).probeCron).toBe(text);
    }
    for (const text of ['daily', '61 * * * *', '* * * *', '0 0 30 2 *', '0 25 * * *', '2030-01-01']) {
      expect(() => Config.from({ GW_PROBE_CRON: text })).toThrow(ConfigError);
    }
  });

  test('a scheduled run probes each model once, on one of two processes', async () => {
    // 6 to 11 s from now. Both processes have started by then, and the schedule is not due again during the test.
    const due = new Date(Math.ceil((Date.now() + 6_000) / 5_000) * 5_000);
    const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
    const env = { GW_PROBE_CRON: cron };
    const [one] = [await start(env), await start(env)];
    expect(probedModels()).toEqual([]);
    await until(async () => Object.keys(await stored(one)).length > 0);
    expect(Object.keys(await stored(one))).toEqual(PROBED);
    expect(probedModels().sort()).toEqual(PROBED);
  });

  test('logs a warning if more than half of the probes fail', async () => {
    const lines: string[] = [];
    statuses = Object.fromEntries(MODELS.map((id) => [id, 404]));
    const gateway = await start({ GW_PROBE_CRON: '* * * * * *' });
    Logger.overrideLogger({ log: () => {}, error: () => {}, warn: (line: string) => void lines.push(line) });
    await until(
      () => lines.some((line) => line === '5 of 5 models failed their probes, so no result was stored'),
      15_000,
    );
    expect(await stored(gateway)).toEqual({});
    Logger.overrideLogger(false);
  });
});
