import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { OWNER_SCRIPT } from './embedded-owner.js';
import { until } from '../../../support/until.js';

const START_MS_MAX = 60_000;

interface Owner {
  readonly process: ChildProcess;
  readonly url?: string;
  readonly error?: string;
}

describe('embedded PostgreSQL', () => {
  let folder: string;
  let dataDir: string;
  const owners: ChildProcess[] = [];

  const start = async (): Promise<Owner> => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', OWNER_SCRIPT, dataDir], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    owners.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { process: child, ...(JSON.parse(line) as object) };
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const query = async (url: string | undefined, sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const serverPid = async () =>
    Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const responses = (url: string | undefined) => query(url, 'select').then(Boolean, () => false);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-embedded-'));
    // mkdtemp creates a folder with mode 0700. If root starts PostgreSQL, it runs as `nobody`, which must be able to enter the folder.
    await chmod(folder, 0o755);
    dataDir = join(folder, 'data');
  });

  afterEach(async () => {
    for (const child of owners.splice(0)) await end(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  test('data survives a graceful shutdown and is stored in folders that other users cannot read', async () => {
    const first = await start();
    await query(first.url, `create table kept as select 'kept' as what`);
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(dataDir)).toBe(process.getuid?.() === 0 ? '711' : '700');
    expect(await mode(join(dataDir, 'postgres'))).toBe('700');
    expect(await mode(join(dataDir, 'postgres', 'gateway.password'))).toBe('600');
    await end(first.process, 'SIGTERM');
    expect(first.process.exitCode).toBe(0);
    expect(await responses(first.url)).toBe(false);

    const second = await start();
    expect(await query(second.url, 'select what from kept')).toEqual([{ what: 'kept' }]);
  });

  test('the embedded database requires its password, and uses UTF-8 and checksums', async () => {
    const { url } = await start();
    const wrong = new URL(url!);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    const shown = `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
      lower('Ä') as lower`;
    expect(await query(url, shown)).toEqual([{ encoding: 'UTF8', checksums: 'on', lower: 'ä' }]);
  });

  test('committed data survives killing both the gateway and the server', async () => {
    const first = await start();
    await query(first.url, `create table kept as select 'kept' as what`);
    process.kill(await serverPid(), 'SIGKILL');
    await end(first.process, 'SIGKILL');
    const second = await start();
    expect(await query(second.url, 'select what from kept')).toEqual([{ what: 'kept' }]);
  });

  test('the embedded server starts again if only its gateway was killed', async () => {
    const first = await start();
    await query(first.url, `create table kept as select 'kept' as what`);
    await end(first.process, 'SIGKILL');
    const second = await start();
    expect(await query(second.url, 'select what from kept')).toEqual([{ what: 'kept' }]);
  });

  test('a running gateway restarts a dead embedded server at the same address', async () => {
    const { url } = await start();
    process.kill(await serverPid(), 'SIGKILL');
    await until(async () => !(await responses(url)), START_MS_MAX);
    await until(() => responses(url), START_MS_MAX);
  });

  test('a second gateway on the same folder is rejected, and the first continues', async () => {
    const first = await start();
    const second = await start();
    expect(second.error).toMatch(
      /^The embedded PostgreSQL cannot be used: another running gateway .* Set DATABASE_URL, or set GW_DATA_DIR to another folder/,
    );
    expect(second.error).not.toContain('\n');
    expect(await responses(first.url)).toBe(true);
  });

  test('the embedded server runs in a folder that other users cannot enter, and after the folder was moved', async () => {
    dataDir = join(folder, 'closed', 'data');
    await chmod(folder, 0o700);
    const closed = await start();
    await query(closed.url, `create table kept as select 'kept' as what`);
    await end(closed.process, 'SIGTERM');
    await chmod(folder, 0o755);
    await rename(dataDir, join(folder, 'data'));
    dataDir = join(folder, 'data');
    const open = await start();
    expect(await query(open.url, 'select what from kept')).toEqual([{ what: 'kept' }]);
  });

  test('an unusable folder is reported on one line', async () => {
    dataDir = join(import.meta.filename, 'data');
    const { error } = await start();
    expect(error).toMatch(/^The embedded PostgreSQL cannot be used: .*Set DATABASE_URL/);
    expect(error).not.toContain('\n');
  });
});
