import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
// @ts-expect-error The tools are plain JavaScript.
import { licenceFaults } from '../../../tools/supply-chain/licences.js';
// @ts-expect-error The tools are plain JavaScript.
import { lockFaults } from '../../../tools/supply-chain/lock-file.js';

const PROJECT = join(import.meta.dirname, '../../..');
const READ = ['package.json', 'package-lock.json', 'docs/licences.md'];
const MEMBERS = [
  'dashboard/package.json',
  'sandbox/package.json',
  'tools/node/package.json',
  'tools/deploy',
  'test/clients/frameworks',
];

/** A copy of the checked files, which tests can break. */
let copy: string;
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'gw-supply-'));
  const skip = (path: string) => !path.includes('node_modules');
  for (const path of [...READ, ...MEMBERS])
    await cp(join(PROJECT, path), join(copy, path), { recursive: true, filter: skip });
});
afterEach(() => rm(copy, { recursive: true }));

function check(root: string) {
  const args = [join(PROJECT, 'tools/supply-chain/check.js'), '--offline', root];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stderr: stderr.trim() };
}

/**
 * Returns the faults that the program prints, except for an outdated `docs/licences.md`. A process would take a quarter of a
 * second.
 */
const faults = (): string[] => [...lockFaults(copy), ...licenceFaults(copy)];

async function change(path: string, how: (json: Json) => void): Promise<void> {
  const file = join(copy, path);
  const json = JSON.parse(await readFile(file, 'utf8')) as Json;
  how(json);
  await writeFile(file, JSON.stringify(json));
}
type Json = Record<string, Record<string, Record<string, unknown>>>;
const FASTIFY = 'node_modules/fastify';
const locked = (member: string, value: unknown) =>
  change('package-lock.json', ({ packages }) => {
    packages![FASTIFY]![member] = value;
  });

test("the project's own manifests, lock files and licenses pass the check", () => {
  expect(check(PROJECT)).toEqual({ status: 0, stderr: '' });
  expect(check(copy)).toEqual({ status: 0, stderr: '' });
});

describe('lock file check', () => {
  test.each([
    ['without a hash', 'integrity', undefined],
    ['with a weak hash', 'integrity', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
  ])('a lock file entry %s is rejected', async (_flaw, member, value) => {
    await locked(member, value);
    expect(faults()).toContainEqual(expect.stringContaining(`${FASTIFY} has no sha512`));
  });

  test.each([
    'git+ssh://git@forge.example/fastify/fastify.git#0123456789abcdef',
    'http://packages.example/fastify/-/fastify-VERSION.tgz',
    'https://user@packages.example/fastify/-/fastify-VERSION.tgz',
    'https://forge.example/fastify/archive/VERSION.tgz',
    'https://packages.example/fastifi/-/fastifi-VERSION.tgz',
    'https://packages.example/fastify/-/fastify-0.0.1.tgz',
    'file:../fastify.tgz',
    'nonsense',
  ])('a lock file entry from %s is rejected', async (address) => {
    const version = await versionOfFastify();
    await locked('resolved', address.replace('VERSION', version));
    expect(faults()).toContainEqual(expect.stringContaining(`${FASTIFY} does not come`));
  });

  test('a lock file entry from any registry is accepted', async () => {
    const version = await versionOfFastify();
    await locked('resolved', `https://packages.example/npm/fastify/-/fastify-${version}.tgz`);
    expect(faults()).toEqual([]);
  });

  test('a package with a new install script is rejected', async () => {
    await locked('hasInstallScript', true);
    expect(faults()).toContainEqual(expect.stringContaining('has an install script'));
  });
});

describe('manifest check', () => {
  test.each([
    '^5.0.0',
    'latest',
    '*',
    'github:fastify/fastify',
    'https://forge.example/x.tgz',
    'file:../x',
    'npm:x@1',
    'npm:openai@^4.0.0',
  ])('the version range %s is rejected', async (spec) => {
    await change('package.json', ({ dependencies }) => {
      (dependencies as Record<string, unknown>).fastify = spec;
    });
    expect(faults()).toContainEqual(expect.stringContaining('not as an exact version'));
  });

  test('an allowed install script that contradicts the list is rejected', async () => {
    await change('package.json', ({ allowScripts }) => {
      (allowScripts as Record<string, unknown>)['@scarf/scarf'] = true;
    });
    expect(faults()).toContainEqual(expect.stringContaining('differ about'));
  });
});

describe('.npmrc', () => {
  test('.npmrc can set the log level', async () => {
    await writeFile(join(copy, '.npmrc'), await readFile(join(PROJECT, '.npmrc'), 'utf8'));
    expect(faults()).toEqual([]);
  });

  test('an .npmrc with a registry token is rejected without showing the token', async () => {
    await writeFile(join(copy, '.npmrc'), 'loglevel=error\n//registry.example.com/:_authToken=secret\n');
    const { status, stderr } = check(copy);
    expect(status).toBe(1);
    expect(stderr).toContain('.npmrc sets //registry.example.com/:_authToken:');
    expect(stderr).not.toContain('secret');
  });
});

describe('license check', () => {
  test.each([
    'GPL-3.0-only',
    'MIT AND GPL-2.0',
    'SEE LICENSE IN LICENSE',
    'GPL-2.0 WITH Classpath-exception-2.0',
    undefined,
  ])('the license %s is rejected', async (license) => {
    await locked('license', license);
    expect(faults()).toContainEqual(expect.stringContaining('not on the list'));
  });

  test('a changed license makes docs/licences.md outdated', async () => {
    await locked('license', '(GPL-3.0-only OR ISC)');
    expect(check(copy)).toEqual({
      status: 1,
      stderr: 'docs/licences.md does not match the lock file. Run `npm run docs:licences`.',
    });
  });

  test('licenses of packages in the dashboard page are checked, although they are development packages', async () => {
    await change('package-lock.json', ({ packages }) => {
      packages!['node_modules/react']!.license = 'GPL-3.0-only';
    });
    expect(check(copy)).toEqual({ status: 1, stderr: expect.stringContaining('react') as unknown });
  });
});

async function versionOfFastify(): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(copy, 'package-lock.json'), 'utf8')) as Json;
  return String(packages![FASTIFY]!.version);
}
