import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service.js';
import { Outage } from '../../quota/outage.service.js';
import { StatsWriter } from '../../stats/stats-writer.service.js';
import type { ReadyResponse } from './health.dto.js';

/** The state of the database for everything that requests need: the server itself, admission, and usage. */
@Injectable()
export class DatabaseReadiness {
  constructor(
    private readonly database: Database,
    private readonly outage: Outage,
    private readonly stats: StatsWriter,
  ) {}

  /** The database can respond while admission has no connection, or while usage cannot be written. */
  get state(): ReadyResponse['database'] {
    const { state } = this.database;
    if (state !== 'ready') return state;
    const { admission } = this.outage;
    return admission === 'ready' && this.stats.isFailing ? 'away' : admission;
  }

  /** Whether a pooler prevents exact decisions (ADR 0036). */
  get isBehindUnsafePooler(): boolean {
    return this.database.poolerProblem !== null;
  }
}
