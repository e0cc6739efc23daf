import { randomBytes } from 'node:crypto';
import { CliError, EXIT, usageError } from '../cli-error.js';
import { HiddenInput } from './hidden-input.js';

/** Where a password comes from; neither: it is asked for on the terminal. */
export interface PasswordOptions {
  readonly passwordStdin?: true;
  readonly generate?: true;
}

const STDIN_BYTES_MAX = 10_000;
const WRONG = { param: 'password', exitCode: EXIT.usage } as const;

/** 24 letters, digits, `-` and `_`: 144 bits. */
export const generatePassword = (): string => randomBytes(18).toString('base64url');

/**
 * The password, from stdin or asked for twice on the terminal.
 * @throws CliError `usage` where there is neither; `cancelled`
 */
export async function readPassword({ passwordStdin }: PasswordOptions): Promise<string> {
  // On a terminal it would be shown while it is typed: then it is asked for instead.
  if (process.stdin.isTTY) return askTwice();
  if (passwordStdin === true) return readStdin();
  throw usageError('No password: there is no terminal to ask on. Give --password-stdin or --generate.');
}

function askTwice(): Promise<string> {
  // On stderr, so that stdout holds nothing but the result.
  return HiddenInput.with(process.stdin, process.stderr, async (terminal) => {
    const password = await terminal.ask('Password (not shown): ');
    if (password === (await terminal.ask('The same again: '))) return password;
    throw new CliError('validation_error', 'The two are not the same: nothing was done.', WRONG);
  });
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > STDIN_BYTES_MAX) throw usageError(`stdin holds more than ${STDIN_BYTES_MAX} bytes: no password.`);
    chunks.push(chunk);
  }
  const [line = '', ...rest] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  if (rest.some((text) => text !== '')) throw usageError('stdin holds more than one line: which is the password?');
  if (line === '') throw usageError('stdin is empty: no password.');
  return line;
}
