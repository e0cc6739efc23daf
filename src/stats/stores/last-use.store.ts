import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { KeyUse } from '../pending-records.js';

const WRITE = sqlFile(import.meta.url, './write-last-use.sql');

/** Writes `api_keys.last_used_at` without changing the key's version, and therefore without a notification. */
@Injectable()
export class LastUseStore {
  constructor(private readonly source: DataSource) {}

  /** Returns the stored times by key, in milliseconds since 1970. Keys with locked rows are omitted. */
  async write(uses: readonly KeyUse[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.source.query<{ id: string; stored: number }[]>(WRITE, [
      uses.map((use) => use.keyId),
      uses.map((use) => new Date(use.atMs).toISOString()),
    ]);
    return new Map(rows.map((row) => [row.id, row.stored]));
  }
}
