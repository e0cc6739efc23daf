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
  /** Settings; nothing of the specs' own environment is there beside them. */
  readonly env?: Record<string, string>;
}

interface GivenProcess extends Given {
  /** All of stdin; left out: there is none. */
  readonly input?: string;
}

/** One command to its end, in this process, since one of its own each would take a second; it cannot read stdin. */
export async function cli(args: readonly string[], { env = {} }: Given = {}): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [shown, told] = [text(stdout), text(stderr)];
  const code = await run(args, { ...TEST_SETTINGS, ...env }, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await shown, stderr: await told };
}

/** The same as `node dist/src/cli/main.js …` runs it, but of the sources as they are: streams, exit code, what others print. */
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

/** With `--json`: the one document that it left, on stdout or on stderr. Fails where anything stands beside it. */
export const cliJson = async <T = Record<string, unknown>>(args: readonly string[], given: Given = {}) =>
  documentOf<T>(await cli([...args, '--json'], given));

export const cliProcessJson = async <T = Record<string, unknown>>(args: readonly string[], given: GivenProcess = {}) =>
  documentOf<T>(await cliProcess([...args, '--json'], given));

function documentOf<T>({ code, stdout, stderr }: Ended): { code: number | null; failed: boolean; body: T } {
  const lines = (stdout + stderr).split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${stdout}${stderr}`);
  return { code, failed: stderr !== '', body: JSON.parse(lines[0]!) as T };
}

/** How a command line is refused that comes to no database. Fails where it is not refused. */
export async function refusal(args: readonly string[]): Promise<{ exitCode: number | null; error: unknown }> {
  const { code, failed, body } = await cliJson<{ error: unknown }>(args);
  if (!failed) throw new Error(`not refused: ${JSON.stringify(body)}`);
  return { exitCode: code, error: body.error };
}
