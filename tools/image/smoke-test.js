// Builds the image with docker or podman and tests it: `npm run check:image`. An argument names an existing image to test instead.
// IMAGE_TEST=required makes a missing engine or base image an error.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildOf } from '../version.js';
import { contentFaults, megabytes } from './contents.js';
import { baseImage, Engine } from './engine.js';
import { PRODUCTION, SERVED } from './production.data.js';

const PROBE = 'tools/image/probe.js';
const BUILT = 'inference-gateway:smoke-test';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/**
 * The same restrictions as in the chart and in docker-compose.yml. There is no network, so that the image must be self-contained.
 */
const RESTRICTED = [
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--tmpfs=/tmp',
  '--network=none',
  '--no-healthcheck',
];
const CHECKS = {
  'labels, user and health check': configFaults,
  'files: at most 60 MB and nothing for development': fileFaults,
  'exits with 78 if settings are missing': missingSettingFaults,
  'runs as user 1000 on a read-only file system': runningFaults,
  'the health check follows HOST and PORT': addressFaults,
  'drains on SIGTERM and exits with 0': drainFaults,
};

const { version, commit } = buildOf();
const { engine, missing } = Engine.find();
const given = process.argv[2];
const base = baseImage();
if (missing !== undefined) skip(missing);
else if (given === undefined && !engine.has(base))
  skip(`the base image is not on this machine. Run \`${engine.name} pull ${base}\``);
else await test(given ?? BUILT);

function skip(reason) {
  console.log(`The image was not built: ${reason}.`);
  if (process.env.IMAGE_TEST === 'required') process.exitCode = 1;
}

async function test(image) {
  if (given === undefined) engine.build(image, { VERSION: version, COMMIT: commit });
  for (const [name, check] of Object.entries(CHECKS)) {
    const faults = await check(image).catch((error) => [error.message]);
    console.log([`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`, ...faults].join('\n      '));
    if (faults.length > 0) process.exitCode = 1;
  }
}

async function configFaults(image) {
  const [inspected] = JSON.parse(engine.output('image', 'inspect', image));
  const { User, StopSignal, Labels } = inspected.Config;
  const label = (name) => Labels?.[`org.opencontainers.image.${name}`];
  const expected = {
    'the user is not 1000:1000': User === '1000:1000',
    'the stop signal is not SIGTERM': StopSignal === 'SIGTERM',
    'the health check starts Node': !healthCheck(inspected).includes('node'),
    [`the label for the version is not ${version}`]: given !== undefined || label('version') === version,
    'the label for the commit is not that of the checkout': given !== undefined || label('revision') === commit,
  };
  return Object.keys(expected).filter((fault) => !expected[fault]);
}

async function fileFaults(image) {
  const list = engine.output('run', '--rm', ...RESTRICTED, image, 'find', '/app', '-type', 'f', '-printf', '%s %P\\n');
  const files = list
    .trim()
    .split('\n')
    .map((line) => /^(\d+) (.+)$/.exec(line));
  const measured = files.map(([, bytes, path]) => ({ path, bytes: Number(bytes) }));
  console.log(`      ${megabytes(measured.reduce((sum, { bytes }) => sum + bytes, 0))} in ${measured.length} files`);
  const sbom = engine.output('run', '--rm', ...RESTRICTED, image, 'cat', '/app/sbom.cdx.json');
  return contentFaults(measured, JSON.parse(sbom));
}

async function missingSettingFaults(image) {
  const { status, stdout, stderr } = engine.run('run', '--rm', ...RESTRICTED, image);
  const faults = status === 78 ? [] : [`it exits with ${status}: ${stderr.slice(-500)}`];
  return `${stdout}${stderr}`.includes('DATABASE_URL') ? faults : [...faults, 'the error does not name DATABASE_URL'];
}

function runningFaults(image) {
  return withContainer(image, {}, async (container) => {
    const faults = [];
    const user = engine.output('exec', container, 'id', '-u').trim();
    if (user !== '1000') faults.push(`the process runs as user ${user}`);
    for (const path of ['/app/file', '/home/node/file'])
      if (engine.run('exec', container, 'touch', path).status === 0) faults.push(`${path} can be written`);
    const probe = engine.run('exec', container, 'node', '--input-type=module', '--eval', readFileSync(PROBE, 'utf8'));
    if (probe.status !== 0) faults.push(`a part of the image does not load: ${probe.stderr.slice(-1000)}`);
    for (const path of SERVED) {
      const { status } = get(container, 8080, path);
      if (status !== 200) faults.push(`${path} returns ${status}`);
    }
    return faults;
  });
}

function addressFaults(image) {
  return withContainer(image, { HOST: '127.0.0.1', PORT: '9000' }, async (container) =>
    get(container, 9000, '/health/live').status === 200 ? [] : ['the gateway does not listen on PORT'],
  );
}

function drainFaults(image) {
  return withContainer(image, { GW_DRAIN_DELAY_SECONDS: '5' }, async (container) => {
    engine.output('kill', '--signal=TERM', container);
    const exit = engine.exitCode(container);
    const { status, body } = get(container, 8080, '/health/ready');
    const faults = status === 503 && body.draining === true ? [] : [`/health/ready returns ${status} while it drains`];
    const code = await exit;
    return code === 0 ? faults : [...faults, `it exits with ${code}`];
  });
}

/** Calls `check` when the image's own health check succeeds. */
async function withContainer(image, settings, check) {
  const env = Object.entries({ ...PRODUCTION, ...settings }).map(([name, value]) => `--env=${name}=${value}`);
  const container = engine.output('run', '--detach', ...RESTRICTED, ...env, image).trim();
  try {
    const command = healthCheck(JSON.parse(engine.output('image', 'inspect', image))[0]);
    const healthy = () => engine.run('exec', container, ...command).status === 0;
    for (const until = Date.now() + START_TIMEOUT_MS; !healthy(); await sleep(POLL_MS))
      if (Date.now() > until) return [`the health check fails: ${engine.run('logs', container).stderr.slice(-1000)}`];
    return await check(container);
  } finally {
    engine.run('rm', '--force', container);
  }
}

/** Removes the leading `CMD`. Podman and docker name the field differently. */
function healthCheck({ Config, Healthcheck, HealthCheck }) {
  return (Config.Healthcheck ?? Healthcheck ?? HealthCheck).Test.slice(1);
}

function get(container, port, path) {
  const script = `fetch('http://127.0.0.1:${port}${path}').then(async (r) => console.log(r.status + ' ' + await r.text()))`;
  const { stdout } = engine.run('exec', container, 'node', '-e', script);
  const [, status, text] = /^(\d+) (.*)/s.exec(stdout) ?? [];
  return { status: Number(status), body: path.startsWith('/health') && text ? JSON.parse(text) : text };
}
