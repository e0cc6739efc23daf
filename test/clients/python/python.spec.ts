import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const FOLDER = import.meta.dirname;
const PYTHON = process.env.PYTHON ?? 'python3';
/** The folder with a virtual environment for each client. `npm run test:clients` creates it. */
const ENVIRONMENTS = process.env.PYTHON_CLIENTS;
const SCRIPTS = readdirSync(FOLDER).filter((name) => name.endsWith('_client.py'));
/** Exit code of a script that cannot run here. */
const SKIPPED = 77;
const MS_MAX = 600_000;

const { error: noPython } = spawnSync(PYTHON, ['--version']);
if (noPython !== undefined) console.log(`Python clients are skipped: ${noPython.message}`);

(noPython ? describe.skip : describe).each(PROFILES)('Python clients with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
  });
  afterAll(() => sandbox?.stop());

  test.each(SCRIPTS)(
    '%s passes its checks, or is skipped if its client is not installed',
    async (script) => {
      const { code, output } = await run(script);
      if (code === SKIPPED) console.log(`${script} is skipped: ${output}`);
      // An assertion would show only a part of the output.
      else if (code !== 0) throw new Error(`exit code ${code}: ${output}`);
    },
    MS_MAX,
  );

  async function run(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const { PATH, HOME } = process.env;
    const access = {
      GATEWAY_ORIGIN: sandbox.gateway.url,
      GATEWAY_KEY: sandbox.key.key,
      GATEWAY_PROFILE: profile,
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    };
    const child = spawn(interpreterOf(script), [join(FOLDER, script)], {
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

function interpreterOf(script: string): string {
  if (ENVIRONMENTS === undefined) return PYTHON;
  const own = join(ENVIRONMENTS, script.replace('_client.py', ''), 'bin/python');
  return existsSync(own) ? own : PYTHON;
}
