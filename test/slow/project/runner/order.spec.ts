import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runJest } from './jest-run.js';

const MS_MAX = 180_000;
const NUMBERS = Array.from({ length: 12 }, (_, index) => index);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runner-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function orderOf(name: string, ...args: string[]): Promise<Record<string, number[]>> {
  const file = join(folder, name);
  const { exitCode } = await runJest(['order', ...args], { RUNNER_ORDER_FILE: file });
  expect(exitCode).toBe(0);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const groups = Object.groupBy(lines, (line) => line.split(' ')[0]!);
  return Object.fromEntries(
    Object.entries(groups).map(([key, of]) => [key, of!.map((line) => Number(line.split(' ')[1]))]),
  );
}

test(
  '--randomize shuffles tests by its seed, except in describeInOrder',
  async () => {
    const plain = await orderOf('plain');
    expect(plain).toEqual({ story: NUMBERS, epilogue: NUMBERS, other: NUMBERS });
    const one = await orderOf('one', '--randomize', '--seed=1');
    expect(one).toMatchObject({ story: NUMBERS, epilogue: NUMBERS });
    expect(one.other).not.toEqual(NUMBERS);
    expect(one.other!.toSorted((a, b) => a - b)).toEqual(NUMBERS);
    expect(await orderOf('again', '--randomize', '--seed=1')).toEqual(one);
  },
  MS_MAX,
);
