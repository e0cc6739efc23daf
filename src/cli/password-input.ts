import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CliError, EXIT, usageError } from './cli-error.js';

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

/** What is needed of a terminal: `process.stdin` is one. */
interface TerminalInput {
  setRawMode(on: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (text: string) => void): unknown;
  off(event: 'data', listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'cancelled' };

/** Of one answer, and of what is typed ahead of a question. */
const CHARACTERS_MAX = 1000;
const INTERRUPT = '\u0003';
const END = '\u0004';
const CLEAR = '\u0015';
const BACKSPACES = ['\u007f', '\b'];
/** What arrow and function keys send. */
const KEY_SEQUENCE = /\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/g;

/** Asks for lines on a terminal that shows nothing of what is typed, from before the first question to after the last. */
export class HiddenInput {
  private typed: string[] = [];
  /** Ended and not asked for yet: somebody has pasted several. */
  private readonly lines: Line[] = [];
  private waiting: ((line: Line) => void) | null = null;

  private constructor(private readonly output: Writable) {}

  /** @throws what `work` throws; CliError `cancelled` on Ctrl-C and Ctrl-D */
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
    throw new CliError('cancelled', 'Cancelled: nothing was done.', { exitCode: EXIT.cancelled });
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
