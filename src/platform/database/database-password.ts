import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { PasswordSource } from '../config/password-source.rules.js';

/** A longer text is not a password. Tokens of managed databases have 1 to 2 KB. */
const BYTES_MAX = 16_384;
/** A program that takes longer than a connection attempt ends for the next attempt, which uses its result. */
const COMMAND_MS_MAX = 10_000;
/** Connections that are opened together, and the attempt after one that timed out, share one run of the command. */
const REUSE_MS = 5000;

/** Names the setting and the cause. It never contains output of the command or content of the file. */
export class PasswordUnavailable extends Error {
  readonly code = 'GW_PASSWORD';
}

interface Run {
  readonly password: Promise<string>;
  endedAtMs: number | null;
}

/** By program and arguments. A process has one command for each host of its URL. */
const runs = new Map<string, Run>();

/** Returns the password of a new connection. @throws PasswordUnavailable */
export function readPassword(source: PasswordSource): Promise<string> {
  return source.kind === 'file' ? readPasswordFile(source.path) : sharedRun(source.command);
}

/** Called if the server rejects the password, so that the next connection runs the command again. */
export function forgetPassword(source: PasswordSource): void {
  if (source.kind === 'command') runs.delete(JSON.stringify(source.command));
}

async function readPasswordFile(path: string): Promise<string> {
  const fail = (problem: string) =>
    new PasswordUnavailable(`GW_DATABASE_PASSWORD_FILE names ${JSON.stringify(path)}, which ${problem}`);
  let text: string;
  try {
    text = await readStart(path);
  } catch (error) {
    throw fail(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  return passwordIn(text, fail);
}

async function readStart(path: string): Promise<string> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(BYTES_MAX + 1), 0, BYTES_MAX + 1, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

function sharedRun(command: readonly string[]): Promise<string> {
  const key = JSON.stringify(command);
  const latest = runs.get(key);
  if (latest !== undefined && (latest.endedAtMs === null || performance.now() - latest.endedAtMs < REUSE_MS))
    return latest.password;
  const run: Run = { password: runCommand(command), endedAtMs: null };
  runs.set(key, run);
  run.password.then(
    () => (run.endedAtMs = performance.now()),
    () => runs.get(key) === run && runs.delete(key),
  );
  return run.password;
}

async function runCommand([program = '', ...args]: readonly string[]): Promise<string> {
  const fail = (problem: string) => new PasswordUnavailable(`The program of GW_DATABASE_PASSWORD_COMMAND ${problem}`);
  const options = { timeout: COMMAND_MS_MAX, maxBuffer: BYTES_MAX, killSignal: 'SIGKILL', windowsHide: true } as const;
  const text = await new Promise<string>((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(fail(failureText(error)));
    });
    child.stdin?.end();
  });
  return passwordIn(text, fail);
}

function failureText({ code, killed, signal }: { code?: unknown; killed?: boolean; signal?: unknown }): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `wrote more than ${BYTES_MAX} bytes`;
  if (killed === true) return `did not end within ${COMMAND_MS_MAX / 1000} s`;
  if (typeof code === 'number') return `failed with exit code ${code}`;
  return typeof code === 'string' ? `cannot be started: ${code}` : `was ended by ${String(signal)}`;
}

/** Removes one newline at the end, which most programs write. */
function passwordIn(text: string, fail: (problem: string) => PasswordUnavailable): string {
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw fail('yields no password');
  if (password.length > BYTES_MAX) throw fail(`yields more than ${BYTES_MAX} bytes`);
  if (/\p{Cc}/u.test(password)) throw fail('yields more than one line or other control characters');
  return password;
}
