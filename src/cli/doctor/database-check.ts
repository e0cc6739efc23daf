import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { findBinaries } from '../../database/embedded/binaries.js';
import { EMBEDDED_ADVICE, EmbeddedPostgresError } from '../../database/embedded/embedded-postgres.error.js';
import { databaseProblem } from '../../database/database-problem.rules.js';
import { migrationState } from '../database/migration-state.js';
import { openDatabase, type OpenDatabase } from '../database/open-database.js';
import { Session } from '../database/stores/session.js';
import { DATABASE_CHECKS } from './database-checks.js';
import { fail, looked, ok, skipped, type Finding } from './finding.js';
import { checkOwner } from './owner-check.js';
import { checkWebhookSecrets } from './webhook-secrets-check.js';

const CHECK = 'database';
/** What is looked at only in a database that answers. */
const INSIDE = [...Object.keys(DATABASE_CHECKS), 'owner', 'webhook_secrets'];

/** The database and all that is in it, in the order in which it is told. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && !(await hasCluster(config.dataDir))) return without(await firstStart(config));
  let database: OpenDatabase;
  try {
    database = await openDatabase(config);
  } catch (error) {
    return without(cannotBeUsed(error));
  }
  try {
    return await lookInside(database, config);
  } finally {
    await database.close();
  }
}

const hasCluster = (dataDir: string): Promise<boolean> =>
  stat(join(resolve(dataDir), 'postgres')).then(
    () => true,
    () => false,
  );

/** Looking makes no database: that is for whoever starts a gateway, or makes a key. */
async function firstStart({ dataDir }: Config): Promise<Finding> {
  try {
    await findBinaries();
    return ok(CHECK, `none yet: the first start makes an embedded one in ${resolve(dataDir)}`);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error;
    return cannotBeUsed(error);
  }
}

function cannotBeUsed(error: unknown): Finding {
  if (error instanceof EmbeddedPostgresError) return fail(CHECK, error.problem, error.advice);
  const message = error instanceof Error ? error.message : String(error);
  return fail(CHECK, message, `${EMBEDDED_ADVICE}.`);
}

const without = (finding: Finding): Finding[] => [
  finding,
  ...INSIDE.map((check) =>
    skipped(check, finding.status === 'fail' ? 'there is no database to ask' : 'once there is one'),
  ),
];

async function lookInside({ url, started }: OpenDatabase, config: Config): Promise<Finding[]> {
  const sessions: Session[] = [];
  try {
    for (let i = 0; i < 2; i++) sessions.push(await Session.open(url));
    const [one, other] = sessions as [Session, Session];
    const findings = [ok(CHECK, placeText(url, started, config))];
    for (const check of Object.values(DATABASE_CHECKS)) findings.push(await check({ one, other, config }));
    return [...findings, ...(await byTables(one, config.with({ databaseUrl: url })))];
  } catch (error) {
    const { message, advice } = databaseProblem(error, url);
    return without(fail(CHECK, message, advice));
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** What their tables hold, which belong to migrations like any other. */
async function byTables(session: Session, config: Config): Promise<Finding[]> {
  const migrated = await migrationState(session).then(
    ({ pending }) => pending.length === 0,
    () => false,
  );
  const checks = { owner: () => checkOwner(config), webhook_secrets: () => checkWebhookSecrets(session, config) };
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    if (!migrated) findings.push(skipped(name, 'there may be no table for it yet'));
    else findings.push(await looked(name, 'Put right what else has failed, then look again.', check));
  }
  return findings;
}

function placeText(url: string, started: boolean, { databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return `${new URL(url).host} answers`;
  const whose = started ? 'started for this look: no gateway runs on it' : 'of a gateway that runs';
  return `the embedded one in ${resolve(dataDir)}, ${whose}`;
}
