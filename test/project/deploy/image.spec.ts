import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const dockerfile = await readFile('Dockerfile', 'utf8');

describe('Dockerfile', () => {
  test('a build needs no frontend from the network, and every stage has the same base image, which an argument replaces', () => {
    expect(dockerfile).not.toMatch(/^# *syntax *=/m);
    const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, base]) => base);
    expect(bases).toEqual(Array(3).fill('${NODE_IMAGE}'));
  });

  test('only stages of the build machine run commands, so an image for another platform needs no emulation', () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    for (const stage of stages) expect(/^RUN /m.test(stage)).toBe(stage.startsWith('--platform=$BUILDPLATFORM '));
  });

  test.each(['title', 'description', 'licenses', 'version', 'revision', 'base.name'])(
    'the image has the label %s',
    (name) => {
      expect(dockerfile).toContain(`org.opencontainers.image.${name}="`);
    },
  );
});

describe('deploy/image/healthcheck.sh', () => {
  let server: Server;
  let status = 200;
  const paths: (string | undefined)[] = [];
  const listen = async (host: string) => {
    server.listen(0, host);
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  };
  beforeEach(() => {
    status = 200;
    server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end();
    });
  });
  afterEach(() => new Promise((done) => server.close(done)));

  /** Must be asynchronous, because this process serves the request. */
  async function check(env: Record<string, string>): Promise<number> {
    const child = spawn('bash', ['deploy/image/healthcheck.sh'], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  }

  test.each(['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'])(
    'healthcheck.sh requests liveness on HOST=%s and PORT',
    async (host) => {
      const port = await listen(host);
      expect(await check({ HOST: host, PORT: port })).toBe(0);
      expect(paths.pop()).toBe('/health/live');
    },
  );

  test('healthcheck.sh fails for another status, and if nothing listens', async () => {
    const port = await listen('127.0.0.1');
    status = 503;
    expect(await check({ HOST: '127.0.0.1', PORT: port })).not.toBe(0);
    expect(await check({ HOST: '127.0.0.1', PORT: '1' })).not.toBe(0);
  });

  test('the image uses healthcheck.sh, so that a check does not start Node', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["bash", "\/app\/healthcheck\.sh"\]$/m);
  });
});

describe('tools/image/assemble.js', () => {
  const FILES = {
    'package.json': {
      name: 'gateway',
      version: '1.2.3-dev',
      type: 'module',
      dependencies: { '@scope/one': '1', bundled: '1' },
      devDependencies: { typescript: '6' },
    },
    'dist/chunks/packages.json': { bundled: ['node_modules/bundled'], external: ['@scope', 'native'] },
    'dist/chunks/a.js': '',
    'dist/chunks/a.js.map': '',
    'dist/dashboard/index.html': '',
    'dist/licenses.txt': '',
    'dist/package.json': { version: '1.2.3', type: 'module' },
    'dist/src/main.js': "import '../chunks/a.js';",
    'dist/src/cli/main.js': '',
    'dist/src/other.js': '',
    'dist/src/proxy/metering/estimate/token-worker.js': "import { a } from './count.js'; await import('./lazy.js');",
    'dist/src/proxy/metering/estimate/count.js': '',
    'dist/src/proxy/metering/estimate/count.d.ts': '',
    'dist/src/proxy/metering/estimate/lazy.js': '',
    'dist/sandbox/src/main.js': '',
    'node_modules/bundled/package.json': {},
    'node_modules/typescript/package.json': {},
    'node_modules/@scope/one/package.json': { dependencies: { native: '2', absent: '1' } },
    'node_modules/@scope/one/LICENSE.md': '',
    'node_modules/@scope/one/README.md': '',
    'node_modules/@scope/one/index.js': '',
    'node_modules/@scope/one/index.d.mts': '',
    'node_modules/@scope/one/node_modules/native/package.json': { version: '2' },
    'node_modules/@scope/one/node_modules/unused/package.json': {},
    'node_modules/native/package.json': { version: '1', optionalDependencies: { 'native-linux': '1' } },
    'node_modules/native-linux/binary.node': '',
    'node_modules/native-linux/package.json': {},
  };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assemble-'));
    for (const [path, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  const assemble = () =>
    spawnSync(process.execPath, [resolve('tools/image/assemble.js'), 'image'], { cwd: folder, encoding: 'utf8' });

  test('the image has only what the programs load, with licenses, and without source maps, declarations and bundled packages', async () => {
    expect(assemble()).toMatchObject({ status: 0, stderr: '' });
    const kept = Object.keys(FILES).filter((path) => existsSync(join(folder, 'image', path)));
    const dropped = [
      'dist/chunks/a.js.map',
      'dist/package.json',
      'dist/src/other.js',
      'dist/src/proxy/metering/estimate/count.d.ts',
      'node_modules/bundled/package.json',
      'node_modules/typescript/package.json',
      'node_modules/@scope/one/README.md',
      'node_modules/@scope/one/index.d.mts',
      'node_modules/@scope/one/node_modules/unused/package.json',
    ];
    expect(kept).toEqual(Object.keys(FILES).filter((path) => !dropped.includes(path)));
    expect(JSON.parse(await readFile(join(folder, 'image/package.json'), 'utf8'))).toEqual({
      name: 'gateway',
      version: '1.2.3',
      type: 'module',
      private: true,
    });
  });

  test('a missing program is an error', async () => {
    await rm(join(folder, 'dist/licenses.txt'));
    expect(assemble()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('dist/licenses.txt is missing') as unknown,
    });
  });
});

describe('tools/image/smoke-test.js', () => {
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, ['tools/image/smoke-test.js'], {
      env: { PATH: process.env.PATH, CONTAINER_ENGINE: 'no-such-engine', ...env },
      encoding: 'utf8',
    });
  const reason = 'The image was not built: no-such-engine does not work on this machine.\n';

  test('without a container engine, the smoke test prints why it was skipped', () => {
    expect(run({})).toMatchObject({ status: 0, stdout: reason });
  });

  test('with IMAGE_TEST=required a missing engine is an error', () => {
    expect(run({ IMAGE_TEST: 'required' })).toMatchObject({ status: 1, stdout: reason });
  });
});
