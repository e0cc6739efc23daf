// Installs the coding agents of test/clients/agents/pins.json into .cache/clients. Then it runs the agent and Python suites in
// test/clients. To run some tests: `npm run test:clients -- -t Codex`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.cache/clients');
const pins = JSON.parse(readFileSync(join(ROOT, 'test/clients/agents/pins.json'), 'utf8'));

for (const [name, { package: packageName, version }] of Object.entries(pins)) install(name, packageName, version);

const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', 'test/clients/agents', 'test/clients/python', ...process.argv.slice(2)],
  // The agents are tested one at a time, because each one is a program of several hundred megabytes.
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TEST_CLIENTS: 'yes', JEST_MAX_WORKERS: '1' } },
);
process.exit(status ?? 1);

/** Install scripts are not needed, because the agents' programs are in platform-specific packages. */
function install(name, packageName, version) {
  const folder = join(FOLDER, name);
  const manifest = join(folder, 'node_modules', packageName, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return;
  console.log(`Installing ${packageName} ${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const { status } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', `${packageName}@${version}`],
    { cwd: folder, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error(`${packageName} ${version} could not be installed`);
}
