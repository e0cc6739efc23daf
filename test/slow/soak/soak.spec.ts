import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { gatewayProgram, programEnv } from '../../support/programs.js';

const PROJECT = join(import.meta.dirname, '../../..');
/** A run consists mainly of startup and load. A failing run waits half a minute longer before it reports the failure. */
const RUN_MS_MAX = 180_000;

test(
  'a short soak run with faulty clients and a faulty provider passes',
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
    let output = '';
    for (const stream of [soak.stdout, soak.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    await once(soak, 'close');
    expect(output).toContain('Passed.');
    expect(soak.exitCode).toBe(0);
  },
  RUN_MS_MAX,
);
