import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';
import { Config } from '../../../../src/platform/config/config.js';
import type { UpstreamsFile } from '../../../../src/platform/config/upstreams/upstreams-file.js';
import type { UpstreamsSource } from '../../../../src/platform/config/upstreams/upstreams-source.js';
import { UpstreamsFileWatch } from '../../../../src/start/upstreams-file-watch.js';
import { until } from '../../../support/until.js';

const INTERVAL_MS = 5;

let folder: string;
let path: string;
let version = 0;
let lines: string[];
let watch: UpstreamsFileWatch | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-upstreams-'));
  path = join(folder, '..data/upstreams.yaml');
  lines = [];
});
afterEach(async () => {
  await watch?.stop();
  watch = null;
  await rm(folder, { recursive: true });
});

/** Replaces all files at once, like the kubelet: a new folder, and an atomic swap of the symbolic link to it. */
async function mount(files: Record<string, string>): Promise<void> {
  const name = `..version-${version++}`;
  await mkdir(join(folder, name));
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, name, file), text);
  await symlink(name, join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
}

const upstream = (name: string, more = '') => `{name: ${name}, base_url: "https://${name}.example"${more}}`;
const file = (...upstreams: string[]) => `upstreams: [${upstreams.join(', ')}]`;

const log = {
  log: (message: string) => lines.push(message),
  error: (message: string) => lines.push(`error: ${message}`),
} as unknown as LoggerService;

async function start(files: Record<string, string>): Promise<{ source: UpstreamsSource; applied: UpstreamsFile[] }> {
  await mount(files);
  const { upstreams: source } = Config.from({ GW_UPSTREAMS: path });
  const applied: UpstreamsFile[] = [];
  source!.reloads.subscribe((changed) => applied.push(changed));
  watch = new UpstreamsFileWatch(source!, log, INTERVAL_MS);
  return { source: source!, applied };
}

const logged = (line: string) => until(() => lines.includes(line));

describe('a changed file', () => {
  test('a changed file is used without a restart, and one line names the changed upstreams', async () => {
    const { source, applied } = await start({ 'upstreams.yaml': file(upstream('a'), upstream('b'), upstream('c')) });
    const { loadedAt } = source.reloads;
    await mount({ 'upstreams.yaml': file(upstream('a'), upstream('b', ', region: eu'), upstream('d')) });
    await logged(`The new content of ${path} is in use: added d; removed c; changed b`);
    expect(applied.map(({ upstreams }) => upstreams.map(({ name }) => name))).toEqual([['a', 'b', 'd']]);
    expect(source.file).toBe(applied[0]);
    expect(source.reloads).toMatchObject({ failed: false, failures: 0 });
    expect(source.reloads.loadedAt.getTime()).toBeGreaterThanOrEqual(loadedAt.getTime());

    const routes = '\nroutes: [{models: "*", upstreams: [a]}]';
    await mount({ 'upstreams.yaml': file(upstream('a'), upstream('b', ', region: eu'), upstream('d')) + routes });
    await logged(`The new content of ${path} is in use: changed routes`);
    await mount({ 'upstreams.yaml': file(upstream('d'), upstream('b', ', region: eu'), upstream('a')) + routes });
    await logged(`The new content of ${path} is in use: changed order`);
    await mount({ 'upstreams.yaml': `# ${file(upstream('d'))}\n${file(upstream('d'))}` });
    await logged(`The new content of ${path} is in use: removed b, a; changed routes`);
    expect(lines).toHaveLength(4);
  });

  test('a file is read again if only a secret that it names has changed', async () => {
    const text = file(upstream('a', ', credential: {file: a}'), upstream('b', ', headers: {x-b: {file: b}}'));
    const { source, applied } = await start({ 'upstreams.yaml': text, a: 'first-credential', b: 'first-header' });
    await mount({ 'upstreams.yaml': text, a: 'second-credential\n', b: 'first-header' });
    await logged(`The new content of ${path} is in use: changed a`);
    expect(source.file.upstreams[0]!.credential!.value).toBe('second-credential');
    await writeFile(join(folder, '..data/b'), 'second-header');
    await logged(`The new content of ${path} is in use: changed b`);
    expect(applied).toHaveLength(2);
    expect(lines.join()).not.toMatch(/-credential|-header/);
  });

  test('a changed file is watched for new secret files that it names', async () => {
    await start({ 'upstreams.yaml': file(upstream('a')) });
    const text = file(upstream('a', ', credential: {file: a}'));
    await mount({ 'upstreams.yaml': text, a: 'first-credential' });
    await logged(`The new content of ${path} is in use: changed a`);
    await writeFile(join(folder, '..data/a'), 'second-credential');
    await until(() => lines.length === 2);
  });

  test('a changed file is ignored if its content is the same', async () => {
    const text = file(upstream('a'));
    const { applied } = await start({ 'upstreams.yaml': text });
    await mount({ 'upstreams.yaml': text });
    await mount({ 'upstreams.yaml': file(upstream('b')) });
    await logged(`The new content of ${path} is in use: added b; removed a`);
    expect(applied).toHaveLength(1);
  });
});

describe('an invalid file', () => {
  const empty = () =>
    `error: ${path}:1:12: upstreams: is empty. Add an entry. The gateway keeps the current upstreams.`;

  test('an invalid file keeps the upstreams in use, logs each problem once, and counts one failure', async () => {
    const { source, applied } = await start({ 'upstreams.yaml': file(upstream('a')) });
    const wrong = file(upstream('A'), upstream('b', ', credential: {file: b}'));
    await mount({ 'upstreams.yaml': wrong });
    await until(() => source.reloads.failures === 1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^error: .*:1:20: upstreams\[0\]\.name: must have .* The gateway keeps the current upstreams\.$/,
      ),
      expect.stringMatching(
        /^error: .*: upstreams\[1\]\.credential\.file: names a file that cannot be read \(ENOENT\)\. /,
      ),
    ]);
    expect(source.reloads.failed).toBe(true);
    await mount({ 'upstreams.yaml': wrong });
    await mount({ 'upstreams.yaml': 'upstreams: []' });
    await logged(empty());
    expect([source.reloads.failures, lines.length, applied.length, source.file.upstreams[0]!.name]).toEqual([
      2,
      3,
      0,
      'a',
    ]);

    await mount({ 'upstreams.yaml': file(upstream('a')) });
    await logged(`The new content of ${path} is in use: no upstream has changed`);
    expect(source.reloads).toMatchObject({ failed: false, failures: 2 });
    expect(applied).toEqual([]);
  });

  test('an invalid file is used as soon as its missing secret file appears', async () => {
    const { source } = await start({ 'upstreams.yaml': file(upstream('a')) });
    await mount({ 'upstreams.yaml': file(upstream('a', ', credential: {file: a}')) });
    await until(() => source.reloads.failed);
    await writeFile(join(folder, '..data/a'), 'a-credential');
    await logged(`The new content of ${path} is in use: changed a`);
    expect(source.reloads.failed).toBe(false);
  });

  test('a file can be missing for a while', async () => {
    const { source } = await start({ 'upstreams.yaml': file(upstream('a')) });
    await rm(join(folder, '..data'));
    await until(() => source.reloads.failed);
    expect(lines).toEqual([
      expect.stringMatching(/^error: GW_UPSTREAMS names ".*", which cannot be read \(ENOENT\)\. /),
    ]);
    await mount({ 'upstreams.yaml': file(upstream('b')) });
    await logged(`The new content of ${path} is in use: added b; removed a`);
  });
});

test('content is used only if two polls find it, so that a half-written file is never used', async () => {
  await mount({ 'upstreams.yaml': file(upstream('a')) });
  const { upstreams: source } = Config.from({ GW_UPSTREAMS: path });
  const contents = [file(upstream('h')), file(upstream('b')), file(upstream('b'))];
  const read = source!.read.bind(source);
  const found: string[] = [];
  source!.read = () => {
    const result = read();
    found.push('file' in result ? result.file.upstreams[0]!.name : 'wrong');
    return result;
  };
  await writeFile(path, contents[0]!);
  watch = new UpstreamsFileWatch(source!, log, 60);
  await until(() => found.length === 1);
  await writeFile(path, contents[1]!);
  await until(() => lines.length > 0);
  expect(found).toEqual(['h', 'b', 'b']);
  expect(lines).toEqual([`The new content of ${path} is in use: added b; removed a`]);
});
