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
  /** All of stdin; left out: there is none. */
  readonly input?: string;
}

/** One command to its end, as `node dist/src/cli/main.js …` runs it, but of the sources as they are. */
export function cli(args: readonly string[], { env = {}, input = '' }: Given = {}): Promise<Ended> {
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

/** The same with `--json`: the one document that it left, on stdout or on stderr. Fails where anything stands beside it. */
export async function cliJson<T = Record<string, unknown>>(args: readonly string[], given: Given = {}) {
  const { code, stdout, stderr } = await cli([...args, '--json'], given);
  const lines = (stdout + stderr).split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${stdout}${stderr}`);
  return { code, failed: stderr !== '', body: JSON.parse(lines[0]!) as T };
}

/**
 * How a command line is refused that comes to no database: in this process, since a process each would take a second.
 * Fails where it is not refused.
 */
export async function refusal(args: readonly string[]): Promise<{ exitCode: number; error: unknown }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const exitCode = await run([...args, '--json'], {}, { stdout, stderr });
  stderr.end();
  const { error } = JSON.parse(await text(stderr)) as { error: unknown };
  return { exitCode, error };
}
