import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClosedDayStore } from '../../platform/database/closed-day.store.js';
import { sqlFile } from '../../platform/database/sql-file.js';

const FIND_OPEN = sqlFile(import.meta.url, './find-open-cost-days.sql');
const CLOSE = sqlFile(import.meta.url, './close-cost-day.sql');

/** The sums of closed days by key, model, endpoint and provider, and of all. */
@Injectable()
export class CostDayStore extends ClosedDayStore {
  constructor(source: DataSource) {
    super(source, { lock: 'cost-day', findOpen: FIND_OPEN, close: CLOSE });
  }
}
