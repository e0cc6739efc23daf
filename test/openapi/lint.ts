import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');

/** Returns the IDs of the rules that a document breaks under the project's linter settings, errors and warnings. */
export async function lint(document: unknown): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const { problems } = JSON.parse(await redocly(file)) as { problems: { ruleId: string }[] };
    return problems.map(({ ruleId }) => ruleId);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function redocly(file: string): Promise<string> {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const flags = ['--format=json', '--max-problems=1000', `--config=${join(PROJECT, 'redocly.yaml')}`];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return new Promise((resolve, reject) => {
    // It exits with 1 if it finds a problem, and the output has the details.
    execFile(process.execPath, [cli, 'lint', file, ...flags], { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(stdout);
    });
  });
}
