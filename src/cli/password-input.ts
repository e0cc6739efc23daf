import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CliError, EXIT, usageError } from './cli-error.js';

export interface PasswordOptions {
  readonly passwordStdin?: true;
  readonly generate?: true;
}

const STDIN_BYTES_MAX = 10_000;
const INVALID_PASSWORD = { param: 'password', exitCode: EXIT.usage } as const;

export const generatePassword = (): string => randomBytes(18).toString('base64url');

/** @throws CliError `usage` without usable input, `validation_error` if the two prompts differ, `cancelled` */
export async function readPassword({ passwordStdin }: PasswordOptions): Promise<string> {
  // Reading stdin directly would show the password on a terminal, so --password-stdin also prompts there.
  if (process.stdin.isTTY) return askTwice();
  if (passwordStdin === true) return readStdin();
  throw usageError('No password was given, and there is no terminal for a prompt. Add --password-stdin or --generate.');
}

function askTwice(): Promise<string> {
  // Prompts go to stderr, so that stdout contains only the result.
  return HiddenInput.with(process.stdin, process.stderr, async (terminal) => {
    const password = await terminal.ask('Password (hidden): ');
    if (password === (await terminal.ask('Repeat the password: '))) return password;
    throw new CliError('validation_error', 'The passwords do not match. Nothing was changed.', INVALID_PASSWORD);
  });
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > STDIN_BYTES_MAX)
      throw usageError(`stdin contains more than ${STDIN_BYTES_MAX} bytes. Send only the password.`);
    chunks.push(chunk);
  }
  const [line = '', ...rest] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  if (rest.some((text) => text !== '')) throw usageError('stdin contains more than one line. Send only the password.');
  if (line === '') throw usageError('stdin does not start with a password. Send it as the only line.');
  return line;
}

interface TerminalInput {
  setRawMode(on: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  off(event: 'data', listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'cancelled' };

/** Limits the characters per line, and the lines typed before their prompt. */
const CHARACTERS_MAX = 1000;
const INTERRUPT = '\u0003';
const END = '\u0004';
const CLEAR = '\u0015';
const BACKSPACES = ['\u007f', '\b'];
const KEY_SEQUENCE = /\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/g;

/** Prompts for lines on a terminal. Nothing that is typed is shown, from before the first prompt until after the last. */
export class HiddenInput {
  private typed: string[] = [];
  private readonly lines: Line[] = [];
  private waiting: ((line: Line) => void) | null = null;

  private constructor(private readonly output: Writable) {}

  /** @throws CliError `cancelled` on Ctrl-C and Ctrl-D, and any error of `work` */
  static async with<T>(
    input: TerminalInput,
    output: Writable,
    work: (terminal: HiddenInput) => Promise<T>,
  ): Promise<T> {
    const terminal = new HiddenInput(output);
    const take = (text: string) => terminal.take(text);
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', take);
    input.resume();
    try {
      return await work(terminal);
    } finally {
      input.off('data', take);
      input.pause();
      input.setRawMode(false);
    }
  }

  async ask(question: string): Promise<string> {
    this.output.write(question);
    const line = this.lines.shift() ?? (await new Promise<Line>((resolve) => (this.waiting = resolve)));
    this.output.write('\n');
    if (line.kind === 'line') return line.text;
    throw new CliError('cancelled', 'Canceled. Nothing was changed.', { exitCode: EXIT.cancelled });
  }

  private take(text: string): void {
    for (const character of text.replace(KEY_SEQUENCE, '').replaceAll('\r\n', '\n')) {
      if (character === INTERRUPT || character === END) this.end({ kind: 'cancelled' });
      else if (character === '\r' || character === '\n') this.end({ kind: 'line', text: this.typed.join('') });
      else if (BACKSPACES.includes(character)) this.typed.pop();
      else if (character === CLEAR) this.typed = [];
      else if (character >= ' ' && this.typed.length < CHARACTERS_MAX) this.typed.push(character);
    }
  }

  private end(line: Line): void {
    this.typed = [];
    if (this.waiting !== null) this.waiting(line);
    else if (this.lines.length < CHARACTERS_MAX) this.lines.push(line);
    this.waiting = null;
  }
}
