import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '../../../..');

/** A folder with an `npm` that prints a prepared response of the registry. */
let bin: string;
beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'gw-npm-'));
});
afterAll(() => rm(bin, { recursive: true }));

async function checkWith(response: string) {
  await writeFile(join(bin, 'answer'), response);
  await writeFile(join(bin, 'npm'), `#!/bin/sh\ncat "${join(bin, 'answer')}"\nexit 1\n`);
  await chmod(join(bin, 'npm'), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/supply-chain/check.js'], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
  });
  return { status, stdout, stderr };
}

const vulnerable = (name: string) => ({
  vulnerabilities: {
    [name]: {
      name,
      via: [{ title: 'Too trusting', severity: 'high', url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc' }],
      nodes: [`node_modules/${name}`],
    },
    'leans-on-it': { name: 'leans-on-it', via: [name], nodes: ['node_modules/leans-on-it'] },
  },
});

test('a known advisory about a shipped package fails the check and is named', async () => {
  for (const name of ['fastify', 'react']) {
    const { status, stderr } = await checkWith(JSON.stringify(vulnerable(name)));
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${name}: high: Too trusting (GHSA-aaaa-bbbb-cccc)`)]);
  }
});

test('an advisory about a development package does not fail the check', async () => {
  expect((await checkWith(JSON.stringify(vulnerable('jest')))).status).toBe(0);
});

test('an unavailable registry is reported but does not fail the check', async () => {
  for (const response of ['', '{"error":{"code":"ENOTFOUND"}}', 'not json']) {
    const { status, stdout } = await checkWith(response);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Advisories were not checked')]);
  }
});
