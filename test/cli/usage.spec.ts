import { spawn } from 'node:child_process';
import { closeSync, globSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from '../../src/cli/program.js';
import { cliProgram, programEnv } from '../support/programs.js';
import { TEST_SETTINGS } from '../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { cli, cliJson, cliProcess, cliProcessJson } from './command.js';

const DOCS = join(import.meta.dirname, '../../docs');
const SECRET = 'hunter2-hunter2';
const NOWHERE = `postgres://somebody:${SECRET}@127.0.0.1:1/none`;

let scratch: ScratchDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  env = { DATABASE_URL: scratch.url };
});
afterAll(() => scratch.drop());

describe('help output', () => {
  test('requested help is printed to stdout with exit code 0', async () => {
    const lines = [
      ['key', '--help'],
      ['operator', 'create', '--help'],
      ['help', 'migrate'],
    ];
    for (const { code, stdout, stderr } of [
      await cliProcess(['--help']),
      ...(await Promise.all(lines.map((args) => cli(args)))),
    ]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: cli /);
    }
  });

  test('help for a missing command is printed to stderr with exit code 2', async () => {
    for (const { code, stdout, stderr } of [await cliProcess([]), await cli(['key']), await cli(['operator'])]) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('Usage: cli');
    }
  });
});

test('docs/cli.md and the pages below it name every command and every option', async () => {
  const pages = globSync(['cli.md', 'cli/*.md'], { cwd: DOCS });
  const docs = (await Promise.all(pages.map((page) => readFile(join(DOCS, page), 'utf8')))).join('\n');
  const helpOf = (...args: string[]) => {
    const parsed = parse([...args, '--help']);
    return 'help' in parsed ? parsed.help : '';
  };
  const below = (help: string) =>
    [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name!);
  const groups = below(helpOf()).filter((name) => name !== 'help');
  expect(groups).toEqual([
    'operator',
    'session',
    'key',
    'team',
    'limit',
    'model',
    'upstream',
    'price',
    'cost',
    'request',
    'lost-change',
    'notification',
    'job',
    'import',
    'migrate',
    'doctor',
  ]);
  for (const group of groups) {
    const help = helpOf(group);
    const commands = help.includes('Commands:') ? below(help).filter((name) => name !== 'help') : [];
    for (const name of commands) expect(docs).toContain(name);
    const pages = commands.length === 0 ? [help] : commands.map((name) => helpOf(group, name));
    for (const option of pages.join('').match(/--[a-z-]+/g) ?? []) expect(docs).toContain(option);
  }
});

describe('invalid command lines', () => {
  test.each([
    ['an unknown command', ['kye', 'list'], 'Did you mean key?'],
    ['an unknown subcommand', ['key', 'drop', 'x'], 'drop'],
    ['an unknown option', ['key', 'list', '--all'], '--all'],
    ['an option without its value', ['key', 'list', '--limit'], '--limit'],
    ['a missing argument', ['key', 'suspend'], 'id'],
    ['an additional argument', ['key', 'revoke', 'a', 'b'], 'too many'],
    [
      'two conflicting options',
      ['operator', 'reset-password', 'a@b.c', '--generate', '--password-stdin'],
      '--generate',
    ],
    ['a repeated option', ['key', 'list', '--status', 'active', '--status', 'revoked'], `'--status' is given twice`],
    ['a list followed by all', ['key', 'update', 'x', '--models', 'a', '--models', 'all'], `'--models' is given twice`],
    ['all followed by a list', ['key', 'update', 'x', '--models', 'all', '--models', 'a'], `'--models' is given twice`],
  ])('%s is rejected with exit code 2 without a database', async (_what, args, words) => {
    const people = await cli(args, { env: { DATABASE_URL: NOWHERE } });
    expect(people).toMatchObject({ code: 2, stdout: '' });
    expect(people.stderr).toMatch(/^error: /);
    expect(people.stderr).toContain(words);
  });

  test('--json prints the usage error as a document', async () => {
    expect(await cliProcessJson(['key', 'suspend'])).toEqual({
      code: 2,
      failed: true,
      body: { error: { code: 'usage', message: "missing required argument 'id'", param: null } },
    });
  });
});

const DATABASE_COMMANDS = [
  ['key', 'list'],
  ['key', 'create', '--name', 'n'],
  ['operator', 'list'],
  ['migrate'],
  ['migrate', '--status'],
];

describe('invalid settings', () => {
  test.each([
    ['DATABASE_URL', { DATABASE_URL: `mysql://${SECRET}` }],
    ['GW_DATABASE_POOL', { GW_DATABASE_POOL: 'many' }],
    ['DATABASE_URL', { NODE_ENV: 'production' }],
    ['GW_SECRET_KEY', { NODE_ENV: 'production', DATABASE_URL: NOWHERE, GW_SECRET_KEY: '' }],
    ['GW_UPSTREAM_BASE_URL', { NODE_ENV: 'production', DATABASE_URL: NOWHERE }],
    ['GW_DATA_DIR', { GW_DATA_DIR: '/dev/null/x' }],
  ])('an invalid %s is named on one line with exit code 78', async (name, given) => {
    for (const args of DATABASE_COMMANDS.slice(0, 1)) {
      const { code, stdout, stderr } = await cli(args, { env: given });
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^error: [^\\n]*${name}[^\\n]*\\n$`));
      expect(stderr).not.toContain(SECRET);
    }
  });

  test('every command with --json prints an invalid setting as a document', async () => {
    const given = { DATABASE_URL: `mysql://${SECRET}` };
    const responses = await Promise.all(DATABASE_COMMANDS.map((args) => cliJson(args, { env: given })));
    for (const response of responses) {
      expect(response).toMatchObject({ code: 78, failed: true, body: { error: { code: 'bad_setting', param: null } } });
    }
  });
});

describe('an unavailable database', () => {
  test('every command fails with exit code 1, names the address and does not show the password', async () => {
    const given = { env: { DATABASE_URL: NOWHERE } };
    const [first, ...others] = DATABASE_COMMANDS;
    const responses = [await cliProcessJson(first!, given)];
    for (const args of others) responses.push(await cliJson(args, given));
    for (const { code, body } of responses) {
      expect({ code, body }).toMatchObject({ code: 1, body: { error: { code: 'database_unavailable', param: null } } });
      expect(JSON.stringify(body)).toContain('127.0.0.1:1');
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
  });
});

describe('output that cannot be written', () => {
  const spawned = (args: string[], stdout: 'pipe' | number) => {
    const child = spawn(process.execPath, [...cliProgram(), ...args], {
      env: { ...programEnv(), ...TEST_SETTINGS, ...env },
      stdio: ['ignore', stdout, 'pipe'],
    });
    // The reader disconnects before the command prints anything.
    child.stdout?.destroy();
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise<{ code: number | null; stderr: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, stderr })),
    );
  };

  test('a list succeeds even if its output cannot be written', async () => {
    expect(await spawned(['key', 'list'], 'pipe')).toEqual({ code: 0, stderr: '' });
  });

  test('a command fails if the raw key it created cannot be written', async () => {
    const { code, stderr } = await spawned(['key', 'create', '--name', 'lost'], 'pipe');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The command succeeded, but .* could not be written.*\n$/);
    if (process.platform !== 'linux') return;
    const full = openSync('/dev/full', 'w');
    expect((await spawned(['key', 'create', '--name', 'lost', '--json'], full)).stderr).toContain('"output_lost"');
    closeSync(full);
  });
});

test('a command exits without waiting for open connections', async () => {
  const { code } = await cliProcess(['key', 'list'], { env });
  expect(code).toBe(0);
});
