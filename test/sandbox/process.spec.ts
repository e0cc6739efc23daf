import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { transformFile } from '@swc/core';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// The program imports nothing but node: its folder alone, stripped of types, is the whole of it.
const SOURCE = join(import.meta.dirname, '../../sandbox/src');
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

describe('the sandbox as a process', () => {
  test('tells its parent its port, answers there, and ends with 0 when that goes, though a connection is open', async () => {
    const child = forked();

    expect(await listModels(await portOf(child))).toBe(200);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('leaves %s to its parent', async (signal) => {
    const child = forked();
    const port = await portOf(child);

    child.kill(signal);
    // Answers after the signal was sent, several times over.
    for (let times = 0; times < 5; times += 1) expect(await listModels(port)).toBe(200);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('without a parent prints its address and ends on %s', async (signal) => {
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });

    running.push(child);

    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(
      /^The sandbox provider listens on http:\/\/127\.0\.0\.1:(\d+)\/v1\n$/.exec(line.toString())?.[1],
    );

    expect(await listModels(port)).toBe(200);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each([
    ['in production', { ...env, NODE_ENV: 'production' }, [], /production/],
    ['on a port that is none', env, ['80x'], /"80x"/],
    ['on a port too high', env, ['65536'], /"65536"/],
  ])('refuses to start %s: code 78 and one line', async (_where, environment, args, reason) => {
    const child = forked(environment, args);
    let written = '';

    child.stderr?.on('data', (piece: Buffer) => (written += piece.toString()));
    expect(await once(child, 'close')).toEqual([78, null]);
    expect(written).toMatch(reason);
    expect(written.trimEnd().split('\n')).toHaveLength(1);
  });

  test('ends with 1 and one line on a port that is taken', async () => {
    const port = await portOf(forked());
    const second = forked(env, [String(port)]);
    let written = '';

    second.stderr?.on('data', (piece: Buffer) => (written += piece.toString()));
    expect(await once(second, 'close')).toEqual([1, null]);
    expect(written).toContain(`cannot listen on 127.0.0.1:${port}`);
  });
});
