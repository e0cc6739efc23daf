import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Database } from '../../platform/database/database.service.js';
import { PeriodicService } from '../../platform/database/periodic-task.js';
import { sqlFile } from '../../platform/database/sql-file.js';

const DAYS = sqlFile(import.meta.url, './zone-days.sql');

/** A check of a zone takes about 3 ms in the database, and 1 ms in this process. */
const ZONES_MAX = 100;

interface ZoneRow {
  readonly zone: string;
  /** Instants on successive days of a year, and the starts of the days that contain them, in milliseconds since 1970. */
  readonly instants: readonly number[];
  readonly starts: readonly number[];
}

/**
 * Warns if PostgreSQL and Node disagree about a time zone of a limit. PostgreSQL's data decides when periods begin. Governments change time
 * zones, so a server with old data can begin them an hour early or late.
 */
@Injectable()
export class ZoneCheck extends PeriodicService {
  private warned = '';

  constructor(
    private readonly source: DataSource,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    super(database, registry, 'limits', {
      name: 'time zones of limits',
      failure: 'The time zones of limits were not checked',
      everyMs: 86_400_000,
      retryMs: 60_000,
    });
  }

  /** Returns the zones that differ within a year. It logs them when they change. */
  async run(): Promise<readonly string[]> {
    const rows = await this.source.query<ZoneRow[]>(DAYS, [ZONES_MAX]);
    const differing = rows.filter(differsInNode).map(({ zone }) => zone);
    const names = differing.join(', ');
    if (names !== '' && names !== this.warned)
      this.logger.warn(
        `PostgreSQL and Node have different data for the time zones ${names}. The periods of limits follow PostgreSQL. ` +
          'Update the time zone data of the older one.',
      );
    this.warned = names;
    return differing;
  }
}

function differsInNode({ zone, instants, starts }: ZoneRow): boolean {
  try {
    return instants.some((ms, i) => startOfDay(zone, ms) !== starts[i]);
  } catch {
    // Node does not know the zone.
    return true;
  }
}

const startOfDay = (zone: string, ms: number): number =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds;
