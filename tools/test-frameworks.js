// Installs the packages of test/clients/frameworks, checks the types of its specs, and runs them.
// To run some tests: `npm run test:frameworks -- -t llamaindex`.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = 'test/clients/frameworks';

run('npm', ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `${FOLDER}/tsconfig.json`]);
run(process.execPath, ['node_modules/jest/bin/jest.js', FOLDER, ...process.argv.slice(2)]);

function run(program, args) {
  const env = { JEST_MAX_WORKERS: '2', ...process.env, TEST_CLIENTS: 'yes' };
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
