import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Module } from '@nestjs/common';
import { stringify } from 'yaml';
import { AdminLimits } from '../../admin/limits/admin-limits.service.js';
import { KeysModule } from '../../keys/keys.module.js';
import { TeamsModule } from '../../keys/teams/teams.module.js';
import { LimitsModule } from '../../quota/limits/limits.module.js';
import { withApplication } from '../application.js';
import { CliError, usageError } from '../cli-error.js';
import type { Invocation, Result } from '../command.js';
import { counted, printable, textTable } from '../text-table.js';
import { textOf, textsOf, type Fields } from './fields.rules.js';
import { Findings, type Finding } from './finding.js';
import { NotLitellmConfig, parseConfig, readConfig } from './litellm-config.rules.js';
import { NotLitellmDatabase, readDatabase } from './litellm-database.read-model.js';
import { LitellmImport, type Imported } from './litellm-import.service.js';
import { tenantsOf, type Tenants } from './litellm-tenants.rules.js';
import { upstreamsOf, type ImportedUpstreams } from './litellm-upstreams.rules.js';

export interface ImportLitellmOptions {
  readonly config?: string;
  readonly database?: string;
  readonly upstreamsFile?: string;
  readonly dryRun?: true;
}

@Module({ imports: [KeysModule, TeamsModule, LimitsModule], providers: [AdminLimits, LitellmImport] })
class LitellmImportModule {}

const FILES_MAX = 50;
/** The variable keeps the password out of the list of processes. */
const DATABASE_VARIABLE = 'LITELLM_DATABASE_URL';
const HEAD = ['EFFECT', 'PLACE', 'REASON'];

/** Imports an installation of LiteLLM: its configuration as an upstreams file, and teams, keys and budgets of its database. */
export async function importLitellm(call: Invocation, options: ImportLitellmOptions): Promise<Result> {
  const { config, upstreamsFile } = options;
  const dryRun = options.dryRun === true;
  const database = options.database ?? textOf(call.env[DATABASE_VARIABLE]);
  if (config === undefined && database === null)
    throw usageError(
      `Name a configuration with --config, a database with --database or ${DATABASE_VARIABLE}, or both.`,
    );
  if (upstreamsFile !== undefined && config === undefined) throw usageError('--upstreams-file needs --config.');
  const findings = new Findings();
  const upstreams = config === undefined ? null : await readUpstreams(config, call, findings);
  const tenants = database === null ? null : tenantsOf(await readTenants(database), upstreams);
  if (upstreams !== null && upstreamsFile !== undefined && !dryRun) await writeUpstreams(upstreamsFile, upstreams);
  const imported = tenants === null ? null : await importTenants(call, tenants, dryRun);
  const all = [...findings.all, ...(tenants?.findings ?? []), ...(tenants === null ? [] : [ACCEPT_KEYS])];
  return {
    document: { dry_run: dryRun, upstreams: upstreams?.file ?? null, ...(imported ?? NOTHING), findings: all },
    text: textOfImport({ options, upstreams, imported, findings: all }),
  };
}

const ACCEPT_KEYS: Finding = {
  place: 'API keys',
  effect: 'action',
  reason: 'Set GW_IMPORTED_KEYS=on, so that the gateway accepts imported keys.',
};
const NOTHING = { teams: null, keys: null, limits: null };

async function readUpstreams(path: string, { env }: Invocation, findings: Findings): Promise<ImportedUpstreams> {
  const files: Fields[] = [];
  const paths = [resolve(path)];
  for (const one of paths) {
    if (paths.length > FILES_MAX) throw usageError(`--config: more than ${FILES_MAX} files are included.`);
    const content = await readConfigFile(one);
    files.push(content);
    for (const included of textsOf(content['include'])) {
      const next = resolve(dirname(one), included);
      if (!paths.includes(next)) paths.push(next);
    }
  }
  return upstreamsOf(readConfig(files, findings), env, findings);
}

async function readConfigFile(path: string): Promise<Fields> {
  try {
    return parseConfig(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof NotLitellmConfig ? error.message : 'cannot be read. Check its path';
    throw new CliError('invalid_file', `The file ${printable(path)} ${printable(reason)}.`, { option: '--config' });
  }
}

async function readTenants(url: string) {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new CliError('usage', '--database must be a URL such as postgres://user:password@host/litellm.', {
      option: '--database',
      exitCode: 2,
    });
  try {
    return await readDatabase(url);
  } catch (error) {
    const reason =
      error instanceof NotLitellmDatabase ? error.message : `The database cannot be read: ${(error as Error).message}`;
    throw new CliError('invalid_database', printable(reason), { option: '--database' });
  }
}

async function writeUpstreams(path: string, { file }: ImportedUpstreams): Promise<void> {
  try {
    await writeFile(path, stringify(file), { flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const problem = exists ? 'exists already. Name a new file' : 'cannot be written. Check its folder';
    throw new CliError('invalid_file', `The file ${printable(path)} ${problem}.`, { option: '--upstreams-file' });
  }
}

const importTenants = (call: Invocation, tenants: Tenants, dryRun: boolean): Promise<Imported> =>
  withApplication(call, { module: LitellmImportModule, writes: !dryRun }, (services) =>
    services.get(LitellmImport, { strict: false }).run(tenants, dryRun),
  );

interface Shown {
  readonly options: ImportLitellmOptions;
  readonly upstreams: ImportedUpstreams | null;
  readonly imported: Imported | null;
  readonly findings: readonly Finding[];
}

function textOfImport({ options, upstreams, imported, findings }: Shown): string {
  const { upstreamsFile } = options;
  const dryRun = options.dryRun === true;
  const lines: string[] = [];
  if (upstreams !== null) {
    const { file } = upstreams;
    const place = upstreamsFile === undefined ? 'below' : printable(upstreamsFile);
    lines.push(
      `Upstreams: ${file.upstreams.length}, routes: ${file.routes?.length ?? 0}. ${dryRun && upstreamsFile !== undefined ? 'Would be written to' : 'They are in'} ${place}.`,
    );
  }
  const verb = dryRun ? 'would be created' : 'created';
  for (const [name, of] of Object.entries(imported ?? {}) as [string, { created: number; unchanged: number }][])
    lines.push(`${name[0]!.toUpperCase()}${name.slice(1)}: ${of.created} ${verb}, ${of.unchanged} unchanged.`);
  lines.push(findings.length === 0 ? 'Everything has a counterpart.' : `${counted(findings.length, 'difference')}:`);
  const table =
    findings.length === 0
      ? ''
      : textTable(
          HEAD,
          findings.map(({ effect, place, reason }) => [effect, place, reason]),
        );
  const yaml = upstreams === null || upstreamsFile !== undefined ? '' : `\n${stringify(upstreams.file)}`;
  return `${lines.join('\n')}\n${table}${yaml}`;
}
