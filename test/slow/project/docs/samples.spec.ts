import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../../../support/gateway.js';
import { startSandboxGateway, type SandboxGateway } from '../../../support/sandbox-gateway.js';

const PROJECT = join(import.meta.dirname, '../../../..');
const PAGES = ['README.md', 'docs/quick-start.md', 'docs/tutorial.md'];
const LOCAL = 'http://127.0.0.1:8080';

/** Fails for an HTTP error, which curl itself reports as success. */
const STRICT_CURL = 'set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';

let sandbox: SandboxGateway;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandboxGateway({ GW_WEBHOOK_ALLOW_PRIVATE: 'true' });
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  await mkdir(join(folder, '.data'));
  await writeFile(join(folder, '.data/admin-key'), ADMIN_KEY);
});
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

/** Returns the code blocks of a language that send requests to the gateway on this machine. */
async function samplesOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(PROJECT, page), 'utf8');
  const blocks = Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')),
    ([, code]) => code!,
  );
  const requests = blocks.filter((code) => code.includes(LOCAL));
  return requests.map((code) => code.replaceAll(LOCAL, sandbox.gateway.url));
}

/** Must be asynchronous, because the gateway is in this process. */
async function run(program: string, args: string[], cwd: string) {
  const env = { PATH: process.env.PATH, HOME: folder, GATEWAY_KEY: sandbox.key.key };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...output };
}

test.each(PAGES)('the commands with curl in %s succeed in order', async (page) => {
  const samples = await samplesOf(page, 'sh');
  expect(samples.length).toBeGreaterThan(0);
  const { status, stdout, stderr } = await run('bash', ['-c', STRICT_CURL + samples.join('\n')], folder);
  expect({ status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('"chat.completion"');
});

test('each TypeScript sample of the quick start prints a response', async () => {
  const samples = await samplesOf('docs/quick-start.md', 'ts');
  expect(samples.map((sample) => /from '(.+)'/.exec(sample)![1])).toEqual(['openai', '@anthropic-ai/sdk']);
  for (const sample of samples) {
    const args = ['--input-type=module-typescript', '--eval', sample];
    const { status, stdout, stderr } = await run(process.execPath, args, PROJECT);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().length).toBeGreaterThan(10);
  }
});
