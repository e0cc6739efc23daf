import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../../..');

/**
 * Returns for each document the IDs of the rules that it breaks under the project's linter settings, errors and warnings. One
 * process lints all of them.
 */
export async function lint(...documents: readonly unknown[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const files = documents.map((_, at) => join(folder, `${at}.json`));
    await Promise.all(files.map((file, at) => writeFile(file, JSON.stringify(documents[at]))));
    // The linter writes one JSON text per document, without a separator.
    const reports = (await redocly(files)).split(/(?<=^\})(?=\{$)/m);
    return reports.map((text) => {
      const { problems } = JSON.parse(text) as { problems: { ruleId: string }[] };
      return problems.map(({ ruleId }) => ruleId);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function redocly(files: readonly string[]): Promise<string> {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const flags = ['--format=json', '--max-problems=1000', `--config=${join(PROJECT, 'redocly.yaml')}`];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return new Promise((resolve, reject) => {
    // It exits with 1 if it finds a problem, and the output has the details.
    execFile(process.execPath, [cli, 'lint', ...files, ...flags], { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(stdout);
    });
  });
}
