import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../platform/database/page.js';
import type { RecordSource } from '../unstored-record.js';

export interface ListedRecord {
  readonly id: string;
  readonly at: Date;
  readonly source: RecordSource;
  readonly keyId: string;
  readonly reason: string;
  readonly record: string;
}

export interface UnstoredRecordPage {
  readonly total: number;
  readonly records: readonly ListedRecord[];
}

/** Reads the rows that the database rejected. At most 10,000 are kept. */
@Injectable()
export class UnstoredRecords {
  constructor(private readonly source: DataSource) {}

  async list(page: Page): Promise<UnstoredRecordPage> {
    const { total, rows } = await readPage<ListedRecord>(this.source, LIST, [], page);
    return { total, records: rows };
  }
}

const LIST = {
  rows: `
    select id, at, source, key_id as "keyId", reason, record
      from unstored_records
     order by id desc
     limit $1 offset $2`,
  count: 'select count(*)::int as total from unstored_records',
};
