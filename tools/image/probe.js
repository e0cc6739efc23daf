// Runs inside the image, in /app, and loads the parts that a start in production does not load. An image without one of their packages
// would fail later.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const require = createRequire(`${process.cwd()}/package.json`);

const { hash, verify } = require('@node-rs/argon2');
expect('a password is verified', await verify(await hash('password'), 'password'));
expect('pino-pretty is a function', typeof require('pino-pretty') === 'function');

// These options would run this file again.
const execArgv = [];
const worker = new Worker('./dist/src/proxy/metering/estimate/token-worker.js', { execArgv });
const body = Buffer.from('{"messages":[{"role":"user","content":"one two three"}]}');
worker.postMessage({ model: 'gpt-4o', request: { bytes: body, totalBytes: body.length }, response: null });
const [estimate] = await once(worker, 'message');
expect('tokens are counted', estimate?.input > 0);
await worker.terminate();

const development = { ...process.env, NODE_ENV: 'development' };
const sandbox = fork('./dist/sandbox/src/main.js', ['0'], { env: development, execArgv });
const [{ port }] = await once(sandbox, 'message');
expect('the sandbox listens', (await fetch(`http://127.0.0.1:${port}/v1/models`)).status < 500);
sandbox.disconnect();

const help = execFileSync(process.execPath, ['dist/src/cli/main.js', '--help'], { encoding: 'utf8' });
expect('the command line prints its help', help.includes('migrate'));

function expect(what, holds) {
  if (!holds) throw new Error(`The image fails: ${what}`);
}
