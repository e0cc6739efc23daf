import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { contentFaults } from '../image/contents.js';
import { PRODUCTION, SERVED } from '../image/production.data.js';
import { buildContext } from './build-context.js';
import { inRoot } from './paths.js';

const START_TIMEOUT_MS = 30_000;
const SETTINGS = { ...PRODUCTION, PORT: '0', GW_DRAIN_DELAY_SECONDS: '0' };
const EXIT_BAD_SETTING = 78;

/** Runs the Dockerfile's stages in plain folders, without a container engine, and starts and stops the result. */
export async function checkImage() {
  const work = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const image = buildStages(work);
    const faults = contentFaults(filesIn(image), JSON.parse(readFileSync(join(image, 'sbom.cdx.json'), 'utf8')));
    return [...faults, ...programFaults(image), ...(await startFaults(image))];
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
      // The last stage has no name.
      const name = words.includes('AS') ? words.at(-1) : 'image';
      stage = join(work, name);
      mkdirSync(stage);
      stages.set(name, stage);
    } else if (instruction === 'RUN') {
      run(words.join(' '), stage);
    } else if (instruction === 'COPY') {
      const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)) : null;
      for (const source of words.slice(0, -1))
        copy(source, join(stage, words.at(-1)), { from, intoFolder: words.length > 2 || words.at(-1).endsWith('/') });
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

/** Follows Docker's COPY: the contents of a folder are copied, and a file keeps its name in a target that is a folder. */
function copy(source, target, { from, intoFolder }) {
  if (from !== null) {
    const file = join(from, relative('/app', source));
    const isFolder = statSync(file).isDirectory();
    return cpSync(file, intoFolder && !isFolder ? join(target, basename(file)) : target, { recursive: true });
  }
  const files = buildContext().filter((file) => file === source || file.startsWith(`${source}/`));
  if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore excludes all of it`);
  for (const file of files) {
    const below = file === source ? (intoFolder ? basename(file) : '') : relative(source, file);
    cpSync(inRoot(file), join(target, below));
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file), bytes: statSync(file).size }));
}

function programFaults(image) {
  const node = (args, env) =>
    spawnSync(process.execPath, args, { cwd: image, env, encoding: 'utf8', timeout: START_TIMEOUT_MS });
  const faults = [];
  const probe = node(['--input-type=module', '--eval', readFileSync(inRoot('tools/image/probe.js'), 'utf8')], SETTINGS);
  if (probe.status !== 0) faults.push(`a part of the image does not load: ${probe.stderr.slice(-2000)}`);
  const refused = node(['dist/src/main.js'], { NODE_ENV: 'production' });
  if (refused.status !== EXIT_BAD_SETTING) faults.push(`without settings a container exits with ${refused.status}`);
  return faults;
}

async function startFaults(folder) {
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
