import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInOrder } from '../../support/describe-in-order.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { cliProcessJson } from '../../cli/command.js';

interface Created {
  readonly id: string;
  readonly key: string;
}

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
  // mkdtemp creates the folder with mode 0700. If the tests run as root, the database runs as `nobody` and must pass through it.
  await chmod(folder, 0o755);
  env = { GW_DATA_DIR: join(folder, 'data'), GW_SECRET_KEY: '', PORT: '0' };
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await rm(folder, { recursive: true, force: true });
});

const created = (name: string) => cliProcessJson<Created>(['key', 'create', '--name', name], { env });
const serverRuns = () => existsSync(join(folder, 'data', 'postgres', 'postmaster.pid'));

async function addressWith(password: string): Promise<string> {
  const port = (await readFile(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://gateway:${password}@127.0.0.1:${port}/gateway`;
}

/** The gateway of the second test uses the database that a command created in the first. */
describeInOrder('commands without DATABASE_URL', () => {
  test('a command without a gateway creates, migrates, uses and stops the embedded database', async () => {
    expect(await created('before any gateway')).toMatchObject({ code: 0, body: { status: 'active' } });
    expect(serverRuns()).toBe(false);
    expect((await readdir(join(folder, 'data'))).toSorted()).toEqual(['postgres', 'secret-key']);
    const [diagnosis, status] = [
      await cliProcessJson(['doctor'], { env }),
      await cliProcessJson(['migrate', '--status'], { env }),
    ];
    expect([diagnosis.code, status.body.pending]).toEqual([0, []]);
    expect(serverRuns()).toBe(false);
  });

  test('commands use the embedded database of a running gateway without stopping it', async () => {
    const gateway = GatewayProcess.launch({ GW_DATA_DIR: env.GW_DATA_DIR! });
    await gateway.whenReady();
    const [{ body }, listed, diagnosis] = await Promise.all([
      created('beside a gateway'),
      cliProcessJson<{ total: number }>(['key', 'list'], { env }),
      cliProcessJson(['doctor'], { env: { ...env, PORT: new URL(gateway.url).port } }),
    ]);
    expect([listed.code, diagnosis.code]).toEqual([0, 0]);
    expect(listed.body.total).toBeGreaterThan(0);
    expect((await gateway.chat(body.key)).status).toBe(200);
    expect((await cliProcessJson(['key', 'suspend', body.id], { env })).code).toBe(0);
    expect((await gateway.chat(body.key)).status).toBe(403);
    expect(serverRuns()).toBe(true);
    const wrongPassword = await cliProcessJson(['doctor'], {
      env: { ...env, DATABASE_URL: await addressWith('hunter2') },
    });
    expect(wrongPassword.code).toBe(1);
    expect(JSON.stringify(wrongPassword.body)).toMatch(/rejects the user or the password/);
    expect(JSON.stringify(wrongPassword.body)).not.toContain('hunter2');
    expect((await gateway.call('GET', '/health/ready')).body).toMatchObject({ status: 'ready' });
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    expect(serverRuns()).toBe(false);
  });
});
