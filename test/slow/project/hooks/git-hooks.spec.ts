import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'git-hooks-'));
  for (const file of [
    '.githooks',
    'eslint.config.js',
    '.prettierrc.json',
    'package.json',
    'tools/prose',
    'tools/use-git-hooks.js',
  ])
    await cp(file, join(folder, file), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, '.gitignore'), 'node_modules\n');
  git('init', '--quiet');
});
afterEach(() => rm(folder, { recursive: true }));

/** Excludes the developer's settings and the variables of a hook that runs these specs. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GIT_|CI$|NODE_ENV$|npm_config_omit$)/.test(name));
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  return { ...Object.fromEntries(kept), ...identity, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}

function run(program: string, args: string[], env = environment()) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
  return { status, output: stdout + stderr };
}
const git = (...args: string[]) => run('git', args);
const useHooks = (env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, ['tools/use-git-hooks.js'], { ...environment(), ...env });
const hooksPath = () => git('config', '--local', 'core.hooksPath').output.trim();

async function commit(file: string, text: string, subject = 'Add a file') {
  await writeFile(join(folder, file), text);
  git('add', file);
  return git('-c', 'core.hooksPath=.githooks', 'commit', '-m', subject);
}

describe('commit-msg hook', () => {
  test.each([
    ['a subject of 72 characters', 'a'.repeat(72)],
    ['a subject of 72 two-byte characters', 'ä'.repeat(72)],
    ['a long subject that Git wrote', `Merge branch '${'a'.repeat(80)}'`],
  ])('the commit-msg hook accepts %s', async (_, subject) => {
    expect(await commit('a.txt', 'a\n', subject)).toMatchObject({ status: 0 });
  });

  test('the commit-msg hook rejects a subject of 73 characters and shows its length', async () => {
    const { status, output } = await commit('a.txt', 'a\n', 'ä'.repeat(73));
    expect([status, output]).toEqual([1, expect.stringContaining('The subject has 73 characters.')]);
  });

  test('the commit-msg hook rejects a message that contains only comments', async () => {
    await writeFile(join(folder, 'message'), '\n# a comment\n');
    expect(run('.githooks/commit-msg', ['message'])).toEqual({
      status: 1,
      output: expect.stringContaining('no subject'),
    });
  });
});

describe('pre-commit hook', () => {
  test('the pre-commit hook checks only staged files', async () => {
    await writeFile(join(folder, 'b.ts'), 'export   const b = 1');
    expect(await commit('a b.ts', 'export const a = 1;\n')).toMatchObject({ status: 0 });
  });

  test('the pre-commit hook rejects a file that Prettier would change', async () => {
    const { status, output } = await commit('a.ts', 'export   const a = 1');
    expect([status, output]).toEqual([1, expect.stringContaining('npm run format')]);
  });

  test('the pre-commit hook rejects a file that breaks a lint rule', async () => {
    const { status, output } = await commit('a.ts', 'export const a = (b: number) => b == 1;\n');
    expect([status, output]).toEqual([1, expect.stringContaining('eqeqeq')]);
  });

  test('the pre-commit hook without packages accepts the commit and prints that nothing was checked', async () => {
    await rm(join(folder, 'node_modules'));
    const { status, output } = await commit('a.ts', 'export   const a = 1');
    expect([status, output]).toEqual([0, expect.stringContaining('Run `npm ci`')]);
  });
});

describe('npm ci', () => {
  test('npm ci sets up the hooks once', () => {
    expect(useHooks().output).toContain('.githooks');
    expect(hooksPath()).toBe('.githooks');
    expect(useHooks().output).toBe('');
  });

  test.each([
    ['in CI', { CI: 'true' }],
    ['without development packages', { npm_config_omit: 'dev' }],
    ['in production', { NODE_ENV: 'production' }],
  ])('npm ci sets up no hooks %s', (_, env) => {
    expect(useHooks(env)).toEqual({ status: 0, output: '' });
    expect(hooksPath()).toBe('');
  });

  test('npm ci sets up no hooks outside a Git checkout', async () => {
    await rm(join(folder, '.git'), { recursive: true });
    expect(useHooks()).toEqual({ status: 0, output: '' });
  });

  test("npm ci keeps the developer's own hooks", async () => {
    await mkdir(join(folder, '.git/hooks'), { recursive: true });
    await writeFile(join(folder, '.git/hooks/pre-push'), '#!/bin/sh\n');
    await chmod(join(folder, '.git/hooks/pre-push'), 0o755);
    expect(useHooks()).toEqual({ status: 0, output: '' });
    expect(hooksPath()).toBe('');
  });
});
