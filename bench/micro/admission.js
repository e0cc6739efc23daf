// A separate program on core 0. It starts the whole application on a database and calls only admission.
// argv: `{databaseUrl, settings, closed, rates, seconds}` as JSON. Sends a row for each load pattern.
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from '../load/percentiles.js';
import { atPlannedMoments } from '../load/planned-moments.js';
import { createKey } from '../subjects/gateway.js';
import { fromDist } from '../system/dist.js';
import { untilOk } from '../system/processes.js';

const AT_ONCE = 64;
const MANY_KEYS = 100;
const WARMUP_MS = 1000;

const { databaseUrl, settings, closed = false, rates = [], seconds } = JSON.parse(process.argv[2]);
const { Config } = await fromDist('src/platform/config/config.js');
const { createApp } = await fromDist('src/start/app.factory.js');
const { Admission } = await fromDist('src/quota/admission.service.js');
const { ApiKeyStore } = await fromDist('src/keys/stores/api-key.store.js');

const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
const app = await createApp(
  Config.from({
    DATABASE_URL: databaseUrl,
    GW_ADMIN_KEY: adminKey,
    GW_SECRET_KEY: randomBytes(32).toString('base64'),
    GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1',
    GW_DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...settings,
  }),
);
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();
await untilOk(`${url}/health/live`, { exitCode: null });
const admission = app.get(Admission, { strict: false });
const keys = await makeKeys();

process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void app.close().finally(() => process.exit()));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const rows = [];
if (closed) rows.push(await atOnce([keys[0]]), await atOnce(keys));
for (const rate of rates) rows.push(await atRate(rate));
process.send(rows);

async function makeKeys() {
  const store = app.get(ApiKeyStore, { strict: false });
  const made = [];
  while (made.length < (closed ? MANY_KEYS : 1)) {
    const { id } = await createKey(url, adminKey);
    made.push(await store.snapshotById(id));
  }
  return made;
}

async function atOnce(among) {
  const tookMs = [];
  let asked = 0;
  const beginAt = performance.now() + WARMUP_MS;
  const endAt = beginAt + seconds * 1000;
  const caller = async () => {
    for (let now = performance.now(); now < endAt; now = performance.now()) {
      await admit(among[asked++ % among.length]);
      if (now >= beginAt) tookMs.push(performance.now() - now);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  const how = `${AT_ONCE} concurrent, ${among.length === 1 ? 'one key' : `${among.length} keys`}`;
  return { how, rate: tookMs.length / seconds, ...percentiles(tookMs) };
}

async function atRate(rate) {
  const tookMs = [];
  const warmup = (rate * WARMUP_MS) / 1000;
  const running = [];
  await atPlannedMoments(rate, Math.round(rate * seconds + warmup), (plannedAt) => {
    running.push(admit(keys[0]).then(() => tookMs.push(performance.now() - plannedAt)));
  });
  await Promise.all(running);
  return { how: `${rate} per second, one key`, rate, ...percentiles(tookMs.slice(warmup)) };
}

async function admit(key) {
  const verdict = await admission.admit(key);
  if (verdict.kind !== 'admitted') throw new Error(`not admitted: ${JSON.stringify(verdict)}`);
}
