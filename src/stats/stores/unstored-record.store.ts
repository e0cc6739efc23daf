import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import { storable } from '../../platform/telemetry/redact.js';
import type { UnstoredRecord } from '../unstored-record.js';

const INSERT = sqlFile(import.meta.url, './insert-unstored-record.sql');

/** Further records are only counted and logged. */
const RECORDS_MAX = 10_000;
const REASON_LENGTH_MAX = 500;
/** A row with hundreds of unpriced requests has about 80,000. */
const RECORD_LENGTH_MAX = 100_000;

/** Keeps rows that the database rejects, so that operators can see them and later rows are stored. */
@Injectable()
export class UnstoredRecordStore {
  constructor(private readonly source: DataSource) {}

  async add({ source, keyId, reason, record }: UnstoredRecord): Promise<void> {
    const texts = [storable(reason, REASON_LENGTH_MAX), storable(record, RECORD_LENGTH_MAX)];
    await this.source.query(INSERT, [source, keyId, ...texts, RECORDS_MAX]);
  }
}

/**
 * Whether the database rejects the values themselves, so that a retry is useless. Nothing of the statement was stored then.
 *
 * - Class 22: a value is out of range or malformed.
 * - 23502: a value is missing, such as NaN.
 * - 54000: a value is too long for an index.
 */
export function areUnwritable(error: unknown): error is QueryFailedError {
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as { code?: unknown };
  return typeof code === 'string' && (code.startsWith('22') || code === '23502' || code === '54000');
}
