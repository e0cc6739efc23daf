import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { contentFaults } from '../image/contents.js';
import { PRODUCTION, SERVED } from '../image/production.data.js';
import { buildContext } from './build-context.js';
import { inRoot } from './paths.js';
import { fastFolder } from './fast-folder.js';

const START_TIMEOUT_MS = 30_000;
const SETTINGS = { ...PRODUCTION, PORT: '0', GW_DRAIN_DELAY_SECONDS: '0' };
const EXIT_BAD_SETTING = 78;

/** Runs the Dockerfile's stages in plain folders, without a container engine, and starts and stops the result. */
export async function checkImage() {
  const work = mkdtempSync(join(fastFolder(), 'image-'));
  const remove = () => rmSync(work, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (remove(), process.exit(1)));
  try {
    const image = await buildStages(work);
    const faults = contentFaults(filesIn(image), JSON.parse(readFileSync(join(image, 'sbom.cdx.json'), 'utf8')));
    return [...faults, ...programFaults(image), ...(await startFaults(image))];
  } catch (error) {
    return [`Dockerfile: ${error.message}`];
  } finally {
    remove();
  }
}

/** Stages run at the same time, as in BuildKit. A stage waits for another one only where it copies from it. */
async function buildStages(work) {
  const stages = new Map();
  for (const { name, steps } of stagesOf(instructions())) {
    mkdirSync(join(work, name));
    stages.set(name, buildStage(join(work, name), steps, stages));
  }
  const results = await Promise.allSettled(stages.values());
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results.at(-1).value;
}

function stagesOf(all) {
  const stages = [];
  for (const [instruction, ...words] of all) {
    // The last stage has no name.
    if (instruction === 'FROM') stages.push({ name: words.includes('AS') ? words.at(-1) : 'image', steps: [] });
    else stages.at(-1)?.steps.push([instruction, ...words]);
  }
  return stages;
}

async function buildStage(folder, steps, stages) {
  for (const [instruction, ...words] of steps) {
    if (instruction === 'RUN') await run(words.join(' '), folder);
    if (instruction !== 'COPY') continue;
    const from = words[0].startsWith('--from=') ? await stages.get(words.shift().slice('--from='.length)) : null;
    const intoFolder = words.length > 2 || words.at(-1).endsWith('/');
    for (const source of words.slice(0, -1)) await copy(source, join(folder, words.at(-1)), { from, intoFolder });
  }
  return folder;
}

const instructions = () =>
  readFileSync(inRoot('Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));

const execute = promisify(execFile);

async function run(command, folder) {
  try {
    await execute('sh', ['-c', command], { cwd: folder, env: buildEnv(), maxBuffer: 1 << 26 });
  } catch ({ code, stdout = '', stderr = '' }) {
    throw new Error(`RUN ${command} exits with ${code}: ${`${stdout}\n${stderr}`.slice(-2000)}`);
  }
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
  // `npm run check:supply` does this.
  npm_config_audit: 'false',
  npm_config_fund: 'false',
});

/** Follows Docker's COPY: the contents of a folder are copied, and a file keeps its name in a target that is a folder. */
async function copy(source, target, { from, intoFolder }) {
  if (from !== null) {
    const file = join(from, relative('/app', source));
    const isFolder = statSync(file).isDirectory();
    return cp(file, intoFolder && !isFolder ? join(target, basename(file)) : target, { recursive: true });
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
  const failed = node(['dist/src/main.js'], { NODE_ENV: 'production' });
  if (failed.status !== EXIT_BAD_SETTING) faults.push(`without settings a container exits with ${failed.status}`);
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
