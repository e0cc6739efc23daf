import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY } from '../system/dist.js';
import { end, forkOn, freePort, SUBJECT_CORE, untilOk } from '../system/processes.js';

export async function startGateway({ providerPort, postgres, settings = {} }) {
  const port = await freePort();
  const database = await postgres.create();
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
  const child = forkOn(SUBJECT_CORE, GATEWAY, [], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    GW_DATA_DIR: dataDir,
    GW_ADMIN_KEY: adminKey,
    GW_UPSTREAM_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
    GW_UPSTREAM_API_KEY: 'bench',
    DATABASE_URL: database.url,
    ...settings,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilOk(`${url}/health/ready`, child);
  return {
    port,
    pid: child.pid,
    headers: [`authorization: Bearer ${(await createKey(url, adminKey)).key}`],
    stop: async () => {
      await end(child);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a key with all four limits, which are too high to be reached. */
export async function createKey(url, adminKey) {
  const body = {
    name: 'bench',
    rpm_limit: 2_000_000_000,
    rpd_limit: 2_000_000_000,
    monthly_limit: 2_000_000_000,
    monthly_token_limit: 9_000_000_000_000_000,
  };
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/admin/api-keys`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`);
  return response.json();
}
