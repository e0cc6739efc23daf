import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { gatewayProgram, programEnv } from '../support/programs.js';

const PROJECT = join(import.meta.dirname, '../..');
/** Most of a run that passes is the start and the load itself; one that fails waits half a minute longer to be sure. */
const RUN_MS_MAX = 180_000;

test(
  'after clients and a provider at their worst, memory, sockets, timers and handles are back, and what was admitted is stored',
  async () => {
    const soak = spawn(process.execPath, [join(PROJECT, 'bench/soak.js'), '--minutes', '0.2', '--clients', '24'], {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...programEnv(),
        TEST_DATABASE_URL: process.env.GW_TEST_DATABASE_URL,
        BENCH_PROGRAM: gatewayProgram().join('\n'),
      },
    });
    let told = '';
    for (const stream of [soak.stdout, soak.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (told += text));
    }
    await once(soak, 'close');
    expect(told).toContain('Passed.');
    expect(soak.exitCode).toBe(0);
  },
  RUN_MS_MAX,
);
