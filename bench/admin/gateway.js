import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../subjects.js';

const READY_TIMEOUT_MS = 600_000;
const POLL_INTERVAL_MS = 100;

export async function startGateway(databaseUrl) {
  const [port, dataDir] = [await freePort(), mkdtempSync(join(tmpdir(), 'gateway-bench-'))];
  const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
  const child = fork('dist/src/main.js', [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      GW_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      GW_ADMIN_KEY: adminKey,
      GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1',
      GW_UPSTREAM_API_KEY: 'none',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return {
    async time(path) {
      const startedAt = performance.now();
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${adminKey}` } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
      return performance.now() - startedAt;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function ready(url, child) {
  for (const startedAt = performance.now(); performance.now() - startedAt < READY_TIMEOUT_MS;) {
    if (child.exitCode !== null) throw new Error(`the gateway exited with ${child.exitCode}`);
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error('the gateway did not become ready');
}
