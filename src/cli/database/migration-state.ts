import { MIGRATIONS } from '../../../migrations/all.js';
import { pendingMigrations } from '../../database/pending-migrations.js';
import type { Session } from './stores/session.js';

/** Names, each list in the order of the numbers in them. */
export interface MigrationState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer release: this one does not know them. */
  readonly unknown: readonly string[];
}

const APPLIED = 'select name from migrations order by id';

/** Only reads. */
export async function migrationState(session: Session): Promise<MigrationState> {
  const pending = await pendingMigrations((sql, parameters) => session.rows(sql, parameters), MIGRATIONS);
  const missing = new Set(pending);
  const known = MIGRATIONS.map(({ name }) => name);
  const [table] = await session.rows<{ there: boolean }>(`select to_regclass('migrations') is not null as there`);
  const rows = table?.there === true ? await session.rows<{ name: string }>(APPLIED) : [];
  return {
    applied: known.filter((name) => !missing.has(name)),
    pending,
    unknown: rows.map(({ name }) => name).filter((name) => !known.includes(name)),
  };
}
