import type { DataSource, EntityManager } from 'typeorm';

/** Where reports read: the replica of `GW_STATISTICS_DATABASE_URL`, or the primary. Tests can pass a data source. */
export abstract class ReportSource {
  abstract query<T>(sql: string, parameters?: unknown[]): Promise<T>;
  abstract transaction<T>(isolation: 'REPEATABLE READ', work: (snapshot: EntityManager) => Promise<T>): Promise<T>;
}

/** Work on either data source. It only reads, so it can be repeated. */
export type ReportWork<T> = (source: Pick<DataSource, 'query' | 'transaction'>) => Promise<T>;
