import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { HiddenInput } from '../../src/cli/password-input.js';

/** A fake terminal that shows typed text unless it is in raw mode. */
class Terminal extends EventEmitter {
  raw = false;
  shown = '';
  readonly setEncoding = () => undefined;
  readonly resume = () => undefined;
  readonly pause = () => undefined;

  setRawMode(on: boolean): void {
    this.raw = on;
  }

  type(text: string): void {
    if (!this.raw) this.shown += text;
    this.emit('data', text);
  }
}

let terminal: Terminal;
let output: PassThrough;

beforeEach(() => {
  terminal = new Terminal();
  output = new PassThrough();
});

const ask = (...questions: string[]) =>
  HiddenInput.with(terminal, output, async (hidden) => {
    const responses = [];
    for (const question of questions) responses.push(await hidden.ask(question));
    return responses;
  });

describe('HiddenInput', () => {
  test('a typed password is shown neither by the terminal nor in the output', async () => {
    const responses = ask('One: ', 'Two: ');
    terminal.type('first ');
    terminal.type('secret\r');
    await new Promise(setImmediate);
    terminal.type('second\n');
    expect(await responses).toEqual(['first secret', 'second']);
    expect(terminal.shown).toBe('');
    expect(await text(output.end())).toBe('One: \nTwo: \n');
    expect([terminal.raw, terminal.listenerCount('data')]).toEqual([false, 0]);
  });

  test('backspace, a cleared line and arrow keys work in a typed password', async () => {
    const responses = ask('?');
    terminal.type('wrong\u0015pass\u001b[D\u001b[3~\u001bOPx\u007fwörd\b🔑\r');
    expect(await responses).toEqual(['passwör🔑']);
  });

  test('two lines that are pasted at once answer both prompts', async () => {
    const responses = ask('One: ', 'Two: ');
    terminal.type('pasted\r\npasted\r\n');
    expect(await responses).toEqual(['pasted', 'pasted']);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s cancels the prompt with exit code 130 and restores the terminal', async (_name, key) => {
    const responses = ask('?');
    terminal.type(`half${key}`);
    await expect(responses).rejects.toMatchObject({ code: 'cancelled', exitCode: 130 });
    expect(terminal.raw).toBe(false);
  });
});
