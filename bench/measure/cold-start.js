import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../load/percentiles.js';
import { GATEWAY } from '../system/dist.js';
import { ALL_CORES, end, forkOn, freePort, untilOk } from '../system/processes.js';

const RUNS = 5;
const POLL_INTERVAL_MS = 2;

export async function measureColdStart(_scenario, place) {
  const rows = [];
  if (!place.postgres.kind.startsWith('embedded')) {
    const database = await place.postgres.create();
    rows.push({
      database: `${place.postgres.kind}, migrated`,
      ...(await startOften(place, { DATABASE_URL: database.url })),
    });
    await database.drop();
  }
  rows.push({ database: 'embedded, with its data', ...(await startOften(place, {})) });
  return { rows };
}

async function startOften(place, settings) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const timesMs = [];
  try {
    // The first start creates the data that the others use.
    for (let run = 0; run <= RUNS; run++) timesMs.push(await startOnce(place, { ...settings, GW_DATA_DIR: dataDir }));
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  const [firstMs, ...laterMs] = timesMs;
  return { firstMs, medianMs: median(laterMs), minMs: Math.min(...laterMs), maxMs: Math.max(...laterMs), runs: RUNS };
}

async function startOnce({ providerPort, settings }, given) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    GW_UPSTREAM_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
    GW_UPSTREAM_API_KEY: 'bench',
    ...settings,
    ...given,
  };
  const begun = performance.now();
  const child = forkOn(ALL_CORES, GATEWAY, [], env);
  try {
    await untilOk(`http://127.0.0.1:${port}/health/ready`, child, { eachMs: POLL_INTERVAL_MS });
    return performance.now() - begun;
  } finally {
    await end(child);
  }
}
