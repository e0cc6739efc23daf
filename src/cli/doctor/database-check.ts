import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../platform/config/config.js';
import { placeOf } from '../../platform/config/database-hosts.rules.js';
import { databaseProblem } from '../../platform/database/database-problem.rules.js';
import { findBinaries } from '../../platform/database/embedded/binaries.js';
import { EMBEDDED_ADVICE, EmbeddedPostgresError } from '../../platform/database/embedded/embedded-postgres.error.js';
import { OperatorsModule } from '../../auth/operators/operators.module.js';
import { OperatorsService } from '../../auth/operators/operators.service.js';
import { Secrets } from '../../platform/secrets.js';
import { withServices } from '../application.js';
import { migrationState } from '../database/migrations.js';
import { openDatabase, type OpenDatabase } from '../database/open-database.js';
import { Session } from '../database/stores/timed-client.js';
import { fail, checked, ok, skipped, type Finding, warn } from './finding.js';
import { DATABASE_CHECKS } from './postgres-checks.js';
import { webhookSecrets } from './stores/server-facts.store.js';

const DEPENDENT_CHECKS = [...Object.keys(DATABASE_CHECKS), 'owner', 'webhook_secrets'];

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && !(await hasCluster(config.dataDir)))
    return withDependentsSkipped(await missingCluster(config));
  let database: OpenDatabase;
  try {
    database = await openDatabase(config);
  } catch (error) {
    return withDependentsSkipped(cannotBeUsed(error));
  }
  try {
    return await checkInside(database, config);
  } finally {
    await database.close();
  }
}

const hasCluster = (dataDir: string): Promise<boolean> =>
  stat(join(resolve(dataDir), 'postgres')).then(
    () => true,
    () => false,
  );

/** Doctor must not create a database in an empty data folder, unlike a gateway's start or another command. */
async function missingCluster({ dataDir }: Config): Promise<Finding> {
  try {
    await findBinaries();
    return ok('database', `does not exist yet: the first start creates an embedded one in ${resolve(dataDir)}`);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    return cannotBeUsed(error);
  }
}

function cannotBeUsed(error: unknown): Finding {
  if (error instanceof EmbeddedPostgresError) return fail('database', error.problem, error.advice);
  const message = error instanceof Error ? error.message : String(error);
  return fail('database', message, `${EMBEDDED_ADVICE}.`);
}

const withDependentsSkipped = (finding: Finding): Finding[] => [
  finding,
  ...DEPENDENT_CHECKS.map((check) =>
    skipped(
      check,
      finding.status === 'fail' ? 'needs the database, which failed' : 'needs the database, which does not exist yet',
    ),
  ),
];

async function checkInside({ url, variable, started }: OpenDatabase, config: Config): Promise<Finding[]> {
  const sessions: Session[] = [];
  try {
    for (let i = 0; i < 2; i++) sessions.push(await Session.open(url));
    const [one, other] = sessions as [Session, Session];
    const findings = [ok('database', locationText(url, started, config))];
    for (const check of Object.values(DATABASE_CHECKS)) findings.push(await check({ one, other, config }));
    return [...findings, ...(await checkTables(one, config.with({ databaseUrl: url })))];
  } catch (error) {
    const { message, advice } = databaseProblem(error, url, variable);
    return withDependentsSkipped(fail('database', message, advice));
  } finally {
    for (const session of sessions) await session.close();
  }
}

async function checkTables(session: Session, config: Config): Promise<Finding[]> {
  const migrated = await migrationState(session).then(
    ({ pending }) => pending.length === 0,
    () => false,
  );
  const checks = { owner: () => checkOwner(config), webhook_secrets: () => checkWebhookSecrets(session, config) };
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    if (!migrated) findings.push(skipped(name, 'needs all migrations, and some are pending'));
    else findings.push(await checked(name, 'Fix the other failed checks, then run doctor again.', check));
  }
  return findings;
}

function locationText(url: string, started: boolean, { databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return `connected to ${placeOf(url)}`;
  const origin = started ? 'started for this check, because no gateway is running' : 'started by a running gateway';
  return `embedded, in ${resolve(dataDir)}, ${origin}`;
}

const PAGE_SIZE = 500;
const CREATE_OWNER = 'Run: operator create --role owner --generate --email YOU@EXAMPLE.COM --name YOU';

function checkOwner(config: Config): Promise<Finding> {
  return withServices(config, { module: OperatorsModule, writes: false }, async (services) => {
    const { total, email } = await findOwner(services.get(OperatorsService));
    if (email !== null) return ok('owner', `${email} can sign in`);
    if (total > 0) return warn('owner', `no owner can sign in (operators: ${total})`, CREATE_OWNER);
    const given = config.ownerEmail !== '' && config.ownerPassword !== '';
    if (given || !config.production)
      return ok('owner', 'no operator exists yet: the next start creates the first owner');
    return warn('owner', 'no operator exists, so nobody can sign in to the dashboard', CREATE_OWNER);
  });
}

async function findOwner(operators: OperatorsService) {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await operators.list({ limit: PAGE_SIZE, offset });
    const owner = page.operators.find(({ role, disabled }) => role === 'owner' && !disabled);
    if (owner !== undefined || page.operators.length < PAGE_SIZE)
      return { total: page.total, email: owner?.email ?? null };
  }
}

async function checkWebhookSecrets(session: Session, config: Config): Promise<Finding> {
  if (config.secretKeys.length === 0)
    return ok('webhook_secrets', 'encrypted with the key in GW_DATA_DIR, which is not checked here');
  const secrets = new Secrets(config);
  const undecryptable = (await webhookSecrets(session)).filter((stored) => !canDecrypt(secrets, stored)).length;
  if (undecryptable === 0) return ok('webhook_secrets', 'GW_SECRET_KEY decrypts all webhook secrets');
  return fail(
    'webhook_secrets',
    `GW_SECRET_KEY does not decrypt the secrets of ${undecryptable} ${undecryptable === 1 ? 'webhook' : 'webhooks'}, so deliveries fail`,
    'Add the key that encrypted them to GW_SECRET_KEY, after the new key. If it is lost, create the webhooks again.',
  );
}

function canDecrypt(secrets: Secrets, stored: string): boolean {
  try {
    secrets.decrypt('webhook-secret', stored);
    return true;
  } catch {
    return false;
  }
}
