import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClosedDayStore } from '../../../platform/database/closed-day.store.js';
import { sqlFile } from '../../../platform/database/sql-file.js';

const FIND_OPEN = sqlFile(import.meta.url, './find-open-usage-days.sql');
const CLOSE = sqlFile(import.meta.url, './close-usage-day.sql');

/** Sums of closed days by key and by model. Reports of many days read far fewer rows with them. */
@Injectable()
export class UsageDayStore extends ClosedDayStore {
  constructor(source: DataSource) {
    super(source, { lock: 'usage-day', findOpen: FIND_OPEN, close: CLOSE });
  }
}
