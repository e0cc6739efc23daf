// Runs the agent and Python suites in test/clients with the real clients. The coding agents of test/clients/agents/pins.json are kept in
// .cache/clients. The newest Python clients are installed into a temporary folder. To run only some tests of one suite:
// `npm run test:clients -- python -t openai_agents`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.cache/clients');
const PYTHON = process.env.PYTHON ?? 'python3';
const SUITES = ['agents', 'python'];

const [first, ...others] = process.argv.slice(2);
const suites = SUITES.includes(first) ? [first] : SUITES;
const options = SUITES.includes(first) ? others : process.argv.slice(2);
const environments = mkdtempSync(join(tmpdir(), 'python-clients-'));
process.once('exit', () => rmSync(environments, { recursive: true, force: true }));

if (suites.includes('agents')) installAgents();
if (suites.includes('python')) installPythonClients();

const { status } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', ...suites.map((suite) => `test/clients/${suite}`), ...options],
  // The clients are tested one at a time, because an agent is a program of several hundred megabytes.
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_CLIENTS: 'yes', PYTHON_CLIENTS: environments, JEST_MAX_WORKERS: '1' },
  },
);
process.exit(status ?? 1);

function dataOf(path) {
  return JSON.parse(readFileSync(join(ROOT, 'test/clients', path), 'utf8'));
}

function installAgents() {
  for (const [name, { package: packageName, version }] of Object.entries(dataOf('agents/pins.json')))
    installAgent(name, packageName, version);
}

/** Install scripts are not needed, because the agents' programs are in platform-specific packages. */
function installAgent(name, packageName, version) {
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

function installPythonClients() {
  const { error } = spawnSync(PYTHON, ['--version']);
  if (error !== undefined) {
    console.log(`Python clients are skipped: ${error.message}. Install Python 3, or set PYTHON.`);
    return;
  }
  for (const [name, packages] of Object.entries(dataOf('python/requirements.json'))) installPython(name, packages);
}

/** Each client has its own environment, because some require different major versions of the same package. */
function installPython(name, packages) {
  console.log(`Installing ${packages.join(', ')}`);
  const folder = join(environments, name);
  const made = spawnSync(PYTHON, ['-m', 'venv', folder], { stdio: 'inherit' });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  const installed = made.status === 0 && spawnSync(join(folder, 'bin/python'), pip, { stdio: 'inherit' }).status === 0;
  if (!installed) console.log(`${packages[0]} could not be installed, so its script is skipped.`);
}
