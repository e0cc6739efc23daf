import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
// @ts-expect-error A build tool without types.
import { bundle } from '../../../tools/bundle.js';
// @ts-expect-error A build tool without types.
import { compileTypeScript } from '../../../tools/typescript.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sql-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bundled = async (program: string): Promise<string> => {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-call
  await bundle({ programs: { program }, folder: join(folder, 'built'), compile: compileTypeScript as unknown });
  return join(folder, 'built/program.js');
};

describe('statements in files', () => {
  test('the bundle contains the statements, because the image has no other files', async () => {
    const program = await bundled(resolve('src/quota/ledger/locked-rows.ts'));
    const code = readFileSync(program, 'utf8');
    expect(code).toContain(JSON.stringify(readFileSync('src/quota/ledger/locked-keys.sql', 'utf8')));
    expect(code).not.toContain('.sql');
    await expect(import(pathToFileURL(program).href)).resolves.toHaveProperty('LockedRows');
  });

  test('a path that the bundler cannot read fails the build', async () => {
    const source = join(folder, 'computed.ts');
    writeFileSync(
      source,
      `declare const sqlFile: Function, name: string; export const text = sqlFile(import.meta.url, name);`,
    );
    await expect(bundled(source)).rejects.toThrow('must call sqlFile with a literal path');
  });
});
