import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { transformFile } from '@swc/core';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The program imports only Node's modules, so its folder with the types stripped is complete.
const SOURCE = join(import.meta.dirname, '../../../sandbox/src');
const env = { ...process.env, NODE_ENV: 'test' };
const running: ChildProcess[] = [];

let folder: string;
let main: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  main = join(folder, 'main.js');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of await readdir(SOURCE, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;

    const target = join(folder, file.replace(/\.ts$/, '.js'));
    const { code } = await transformFile(join(SOURCE, file), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });

    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
  }
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function forked(environment: NodeJS.ProcessEnv = env, args: string[] = []): ChildProcess {
  const child = fork(main, args, { env: environment, silent: true, execArgv: [] });

  running.push(child);
  return child;
}

async function portOf(child: ChildProcess): Promise<number> {
  const [message] = (await once(child, 'message')) as [{ port: number }];

  return message.port;
}

async function listModels(port: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/models`, { headers: { authorization: 'Bearer any' } });

  await reply.body?.cancel();
  return reply.status;
}

describe('the sandbox process', () => {
  test('the process sends its port to its parent and exits with 0 when the parent disconnects', async () => {
    const child = forked();

    expect(await listModels(await portOf(child))).toBe(200);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a child process ignores %s and leaves the shutdown to its parent',
    async (signal) => {
      const child = forked();
      const port = await portOf(child);

      child.kill(signal);
      // The signal is handled asynchronously, so several requests prove that the process survives it.
      for (let times = 0; times < 5; times += 1) expect(await listModels(port)).toBe(200);
      child.disconnect();
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a process without a parent prints its address and exits with 0 on %s',
    async (signal) => {
      const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });

      running.push(child);

      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const port = Number(
        /^The sandbox provider listens on http:\/\/127\.0\.0\.1:(\d+)\/v1\n$/.exec(line.toString())?.[1],
      );

      expect(await listModels(port)).toBe(200);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  test.each([
    ['in production', { ...env, NODE_ENV: 'production' }, [], /production/],
    ['on an invalid port', env, ['80x'], /"80x"/],
    ['on a port above 65535', env, ['65536'], /"65536"/],
  ])('does not start %s: it exits with 78 and prints one line', async (_where, environment, args, reason) => {
    const child = forked(environment, args);
    let written = '';

    child.stderr?.on('data', (piece: Buffer) => (written += piece.toString()));
    expect(await once(child, 'close')).toEqual([78, null]);
    expect(written).toMatch(reason);
    expect(written.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a port in use ends the process with exit code 1 and one line', async () => {
    const port = await portOf(forked());
    const second = forked(env, [String(port)]);
    let written = '';

    second.stderr?.on('data', (piece: Buffer) => (written += piece.toString()));
    expect(await once(second, 'close')).toEqual([1, null]);
    expect(written).toContain(`cannot listen on 127.0.0.1:${port}`);
  });
});
