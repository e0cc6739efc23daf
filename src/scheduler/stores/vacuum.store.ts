import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config } from '../../config/config.js';
import { OwnConnection } from '../../database/own-connection.js';

/** Of one table: a vacuum that is cut off has done nothing for its indexes. */
const TABLE_MS_MAX = 1_800_000;

/** Dead rows and old figures of the planner, for a server whose autovacuum is off. */
@Injectable()
export class VacuumStore {
  constructor(
    private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  /** Names of tables, quoted, that autovacuum would see to by its own defaults; none where it is on. */
  async neglected(): Promise<string[]> {
    const rows = await this.source.query<{ name: string }[]>(NEGLECTED);
    return rows.map(({ name }) => name);
  }

  /** One after the other; those that somebody has locked are left out. */
  async vacuum(tables: readonly string[], signal: AbortSignal): Promise<void> {
    const terms = { name: 'gateway-vacuum', statementMsMax: TABLE_MS_MAX };
    await OwnConnection.during(this.config.databaseUrl ?? '', terms, signal, async (connection) => {
      for (const table of tables) {
        signal.throwIfAborted();
        await connection.query(`vacuum (analyze, skip_locked) ${table}`);
      }
    });
  }
}

const NEGLECTED = `
  select relid::regclass::text as name from pg_stat_user_tables
   where current_setting('autovacuum') = 'off' and schemaname = current_schema()
     and (n_dead_tup > 1000 + 0.2 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup)
   order by relid`;
