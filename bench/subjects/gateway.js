import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY } from '../system/dist.js';
import { end, forkOn, freePort, SUBJECT_CORE, untilOk } from '../system/processes.js';

/** The upstream as a single account. */
const oneAccount = (providerPort) => ({
  GW_UPSTREAM_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
  GW_UPSTREAM_API_KEY: 'bench',
});

/**
 * @param accounts the settings of the upstream
 * @param govern called with a function for Admin API calls. It returns further fields of the key.
 */
export async function startGateway(
  { providerPort, postgres, settings = {} },
  { program = GATEWAY, accounts = oneAccount(providerPort), govern = async () => ({}) } = {},
) {
  const port = await freePort();
  const database = await postgres.create();
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
  const child = forkOn(SUBJECT_CORE, program, [], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    GW_DATA_DIR: dataDir,
    GW_ADMIN_KEY: adminKey,
    DATABASE_URL: database.url,
    ...accounts,
    ...settings,
  });
  const url = `http://127.0.0.1:${port}`;
  await untilOk(`${url}/health/ready`, child);
  const { key } = await createKey(url, adminKey, await govern((path, body) => create(url + path, adminKey, body)));
  return {
    port,
    pid: child.pid,
    headers: [`authorization: Bearer ${key}`],
    stop: async () => {
      await end(child);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a key with all four limits, which are too high to be reached. */
export const createKey = (url, adminKey, fields = {}) =>
  create(`${url}/admin/api-keys`, adminKey, {
    name: 'bench',
    rpm_limit: 2_000_000_000,
    rpd_limit: 2_000_000_000,
    monthly_limit: 2_000_000_000,
    monthly_token_limit: 9_000_000_000_000_000,
    ...fields,
  });

async function create(url, adminKey, body) {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
