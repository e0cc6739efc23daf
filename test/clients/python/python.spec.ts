import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const FOLDER = import.meta.dirname;
const PYTHON = process.env.PYTHON ?? 'python3';
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith('_client.py'));
/** Exit code of a script whose client is not installed. */
const SKIPPED = 77;
const MS_MAX = 120_000;

const { error: noPython } = spawnSync(PYTHON, ['--version']);
if (noPython !== undefined) console.log(`Python clients are skipped: ${noPython.message}`);

(noPython ? describe.skip : describe)('Python clients with the profile current', () => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: 'current' });
  });
  afterAll(() => sandbox?.stop());

  test.each(SCRIPTS)(
    '%s passes its checks, or is skipped if its client is not installed',
    async (script) => {
      const { code, output } = await run(script);
      if (code === SKIPPED) console.log(`${script} is skipped: ${output}`);
      else expect({ code, output }).toEqual({ code: 0, output });
    },
    MS_MAX,
  );

  async function run(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const { PATH, HOME } = process.env;
    const access = { GATEWAY_ORIGIN: sandbox.gateway.url, GATEWAY_KEY: sandbox.key.key };
    const child = spawn(PYTHON, [join(FOLDER, script)], {
      env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...access },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MS_MAX / 2,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output: output.trim() }));
    });
  }
});
