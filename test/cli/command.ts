import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.js';
import { TEST_SETTINGS } from '../support/gateway-process.js';
import { cliProgram, programEnv } from '../support/programs.js';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Given {
  /** Settings. The command does not inherit the environment of the tests. */
  readonly env?: Record<string, string>;
}

interface GivenProcess extends Given {
  readonly input?: string;
}

/** Runs a command in this process, because a separate process takes about a second. It cannot read stdin. */
export async function cli(args: readonly string[], { env = {} }: Given = {}): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [shown, reported] = [text(stdout), text(stderr)];
  const code = await run(args, { ...TEST_SETTINGS, ...env }, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await shown, stderr: await reported };
}

/** Runs a command in a separate process, as `node dist/src/cli/main.js …` does, but from the sources. */
export function cliProcess(args: readonly string[], { env = {}, input = '' }: GivenProcess = {}): Promise<Ended> {
  const child = spawn(process.execPath, [...cliProgram(), ...args], {
    env: { ...programEnv(), ...TEST_SETTINGS, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/**
 * Runs a command with `--json` and parses the document that it prints.
 * @throws if stdout and stderr together are not exactly one line
 */
export const cliJson = async <T = Record<string, unknown>>(args: readonly string[], given: Given = {}) =>
  documentOf<T>(await cli([...args, '--json'], given));

export const cliProcessJson = async <T = Record<string, unknown>>(args: readonly string[], given: GivenProcess = {}) =>
  documentOf<T>(await cliProcess([...args, '--json'], given));

function documentOf<T>({ code, stdout, stderr }: Ended): { code: number | null; failed: boolean; body: T } {
  const lines = (stdout + stderr).split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${stdout}${stderr}`);
  return { code, failed: stderr !== '', body: JSON.parse(lines[0]!) as T };
}

/** Returns the error of a command that is rejected before it needs a database. @throws if the command succeeds */
export async function failureOf(args: readonly string[]): Promise<{ exitCode: number | null; error: unknown }> {
  const { code, failed, body } = await cliJson<{ error: unknown }>(args);
  if (!failed) throw new Error(`the command succeeded: ${JSON.stringify(body)}`);
  return { exitCode: code, error: body.error };
}
