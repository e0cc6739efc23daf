import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../subjects/gateway.js';
import { ask } from '../system/databases.js';
import { GATEWAY } from '../system/dist.js';
import { ALL_CORES, end, freePort, spawnOn, untilOk } from '../system/processes.js';
import { Inspector } from './inspector.js';

export async function startSoakGateway(providerPort, postgres) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const database = await postgres.create();
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-soak-'));
  const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
  const program = process.env.BENCH_PROGRAM?.split('\n') ?? [GATEWAY];
  const child = spawnOn(ALL_CORES, process.execPath, ['--inspect=127.0.0.1:0', ...program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      GW_METRICS_PORT: String(metricsPort),
      GW_DATA_DIR: dataDir,
      GW_ADMIN_KEY: adminKey,
      GW_UPSTREAM_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
      GW_UPSTREAM_API_KEY: 'soak',
      GW_LOG_SAMPLE_RATE: '1',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: database.url,
    },
  });
  const inspector = await Inspector.of(child.stderr);
  child.stderr.resume();
  const url = `http://127.0.0.1:${port}`;
  await untilOk(`${url}/health/ready`, child);
  const { id, key } = await createKey(url, adminKey);
  const metric = async (name) => sumOf(name, await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
  return {
    port,
    key,
    pid: child.pid,
    ended: () => child.exitCode ?? child.signalCode,
    levels: () => inspector.levels(child.pid),
    metric,
    counts: async () => ({
      admitted: await metric('gateway_admission_batch_requests_sum'),
      stored: Number(await ask(database.url, 'select month_count from key_quota where key_id = $1', [id])),
      recorded: Number(
        await ask(database.url, 'select coalesce(sum(requests), 0) from usage_daily where key_id = $1', [id]),
      ),
    }),
    stop: async () => {
      inspector.close();
      await end(child);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function sumOf(name, text) {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
