import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forgetPassword, readPassword } from '../../../src/platform/database/database-password.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-password-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, text);
  return path;
}

async function programOf(script: string): Promise<readonly string[]> {
  const path = await fileWith(`#!${process.execPath}\n${script}`);
  await chmod(path, 0o755);
  return [path];
}

const UNUSABLE: readonly (readonly [string, RegExp])[] = [
  ['', /yields no password$/],
  ['\n', /yields no password$/],
  ['hunter2\nhunter2\n', /yields more than one line or other control characters$/],
];

describe('a file with the password', () => {
  const fromFile = (path: string) => readPassword({ kind: 'file', path });

  test.each(['hunter2', 'hunter2\n', 'hunter2\r\n'])('%j yields the password without the newline', async (text) => {
    expect(await fromFile(await fileWith(text))).toBe('hunter2');
  });

  test('the file is read for each connection', async () => {
    const path = await fileWith('first');
    expect(await fromFile(path)).toBe('first');
    await fileWith('second');
    expect(await fromFile(path)).toBe('second');
  });

  test.each([...UNUSABLE, ['x'.repeat(20_000), /yields more than 16384 bytes$/] as const])(
    'an unusable file is an error with the setting and without the content',
    async (text, problem) => {
      const error = (await fromFile(await fileWith(text)).catch((reason: unknown) => reason)) as Error;
      expect(error).toMatchObject({ code: 'GW_PASSWORD', message: expect.stringMatching(problem) });
      expect(error.message).toContain('GW_DATABASE_PASSWORD_FILE');
      expect(error.message).not.toMatch(/hunter2|xxx/);
    },
  );
});

describe('a program that prints the password', () => {
  const fromProgram = (command: readonly string[]) => readPassword({ kind: 'command', command });

  test('connections that are opened together share one run', async () => {
    const log = join(folder, 'log');
    const command = await programOf(
      `require('node:fs').appendFileSync(${JSON.stringify(log)}, 'run\\n'); console.log('hunter2');`,
    );
    const passwords = await Promise.all([fromProgram(command), fromProgram(command)]);
    expect([...passwords, await fromProgram(command)]).toEqual(['hunter2', 'hunter2', 'hunter2']);
    expect(await readFile(log, 'utf8')).toBe('run\n');
    forgetPassword({ kind: 'command', command });
    await fromProgram(command);
    expect(await readFile(log, 'utf8')).toBe('run\nrun\n');
  });

  test('a failed run is not reused', async () => {
    const done = join(folder, 'done');
    const command = await programOf(
      `if (!require('node:fs').existsSync(${JSON.stringify(done)})) process.exit(1); console.log('hunter2');`,
    );
    await expect(fromProgram(command)).rejects.toThrow('failed with exit code 1');
    await writeFile(done, '');
    expect(await fromProgram(command)).toBe('hunter2');
  });

  test('a program that reads its input does not wait for any', async () => {
    expect(await fromProgram(await programOf(`process.stdin.on('end', () => console.log('hunter2')).resume();`))).toBe(
      'hunter2',
    );
  });

  test.each([
    ...UNUSABLE.map(([text, problem]) => [`process.stdout.write(${JSON.stringify(text)})`, problem] as const),
    [`process.stdout.write('hunter2'.repeat(20_000))`, /wrote more than 16384 bytes$/] as const,
    [`console.log('hunter2'); console.error('hunter2'); process.exit(4)`, /failed with exit code 4$/] as const,
    [`process.kill(process.pid, 'SIGTERM')`, /was ended by SIGTERM$/] as const,
  ])('%s is an error with the setting and without the output', async (script, problem) => {
    const error = (await fromProgram(await programOf(script)).catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ code: 'GW_PASSWORD', message: expect.stringMatching(problem) });
    expect(error.message).toContain('GW_DATABASE_PASSWORD_COMMAND');
    expect(error.message).not.toContain('hunter2');
  });

  test('a program that does not exist is an error with its code', async () => {
    await expect(fromProgram([join(folder, 'missing')])).rejects.toThrow(
      'The program of GW_DATABASE_PASSWORD_COMMAND cannot be started: ENOENT',
    );
  });
});
