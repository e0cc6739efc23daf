import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { AuditAction } from './audit-action.data.js';
import { Database } from '../platform/database/database.service.js';
import { ensureMonthPartitions, MONTHS_READY } from '../platform/database/month-partitions.js';
import { PeriodicTask } from '../platform/database/periodic-task.js';

export interface AuditEntry {
  readonly action: AuditAction;
  readonly actor: AdminActor;
  readonly targetType: string;
  readonly targetId: string | null;
  /** Must not contain a secret or its hash. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

@Injectable()
export class AuditLog {
  /** Writes the row (D18) in the transaction of its change. Adds `actor_id`, `request_id` and `ip` to the metadata. */
  async write(transaction: Transaction, entry: AuditEntry): Promise<void> {
    const { action, actor, targetType, targetId, metadata } = entry;
    await transaction.query(
      `insert into audit_logs (created_at, action, actor_type, target_type, target_id, metadata)
       values (clock_timestamp(), $1, $2, $3, $4, $5)`,
      [
        action,
        actor.type,
        targetType,
        targetId,
        JSON.stringify({ ...metadata, actor_id: actor.id, request_id: actor.requestId, ip: actor.ip }),
      ],
    );
  }
}

export type FieldChanges = Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;

/**
 * Returns the fields that differ (D18). A missing value is null.
 * @param fields API field names by property; must not include a hash of a secret
 * @param before null if the object is created
 * @param after null if the object is deleted; undefined properties are unchanged
 */
export function fieldChanges<P extends string>(
  fields: Readonly<Record<P, string>>,
  before: Readonly<Partial<Record<NoInfer<P>, unknown>>> | null,
  after: Readonly<Partial<Record<NoInfer<P>, unknown>>> | null,
): FieldChanges {
  const changes: Record<string, FieldChanges[string]> = {};
  for (const [property, field] of Object.entries(fields) as [P, string][]) {
    const old = before?.[property] ?? null;
    const given = after === null ? null : after[property];
    const now = given === undefined ? old : given;
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[field] = { old, new: now };
  }
  return changes;
}

/**
 * Creates the monthly partitions of the audit log at startup and every hour, two months ahead. The table has no default
 * partition, so a missing partition would make every admin change fail.
 */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(transactions: Transactions, database: Database, registry: SchedulerRegistry) {
    this.task = new PeriodicTask(database, registry, {
      name: 'audit partitions',
      logger: new Logger(AuditPartitions.name),
      failure: 'Cannot create the partitions of the audit log, retrying in one minute',
      run: () =>
        transactions.run((transaction) =>
          ensureMonthPartitions((sql) => transaction.query(sql), 'audit_logs', 'now', MONTHS_READY),
        ),
      everyMs: 3_600_000,
      retryMs: 60_000,
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }
}
