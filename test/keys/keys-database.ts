import { DataSource } from 'typeorm';
import { AuditLog } from '../../src/audit/audit-log.js';
import type { Changes } from '../../src/platform/changes/changes.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { BulkTransitions } from '../../src/keys/bulk-transitions.service.js';
import { Outbox } from '../../src/audit/events/outbox.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import type { Outage } from '../../src/quota/outage.service.js';
import { KeyChangeRecorder } from '../../src/keys/key-change-recorder.js';
import { KeysService } from '../../src/keys/keys.service.js';
import { ApiKey } from '../../src/keys/stores/api-key.entity.js';
import { ApiKeyStore, KeyReads } from '../../src/keys/stores/api-key.store.js';
import { Team } from '../../src/keys/teams/stores/team.entity.js';
import { TeamStore } from '../../src/keys/teams/stores/team.store.js';
import { TeamsService } from '../../src/keys/teams/teams.service.js';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import { NOTHING_LOST } from '../support/nothing-lost.js';
import { createScratchDatabase } from '../support/scratch-database.js';

export const ACTOR: AdminActor = { type: 'admin_key', id: null, requestId: 'request-1', ip: '192.0.2.7' };

/** Never notifies, so that the specs test immediate effects only. */
const NO_CHANGES = { subscribe: () => undefined } as unknown as Changes;

interface AuditRow {
  action: string;
  actor_type: string;
  target_type: string;
  target_id: string;
  metadata: { changes?: Record<string, { old: unknown; new: unknown }> } & Record<string, unknown>;
}

interface EventRow {
  type: string;
  data: Record<string, unknown>;
}

const NO_OUTAGE = { away: false, learn: () => undefined, forget: () => undefined } as unknown as Outage;

/** The key services of one process, with a separate database. */
export class KeysDatabase {
  private constructor(
    readonly source: DataSource,
    private readonly drop: () => Promise<void>,
  ) {}

  readonly store = new ApiKeyStore(this.source);
  readonly cache = new KeyCache(new KeyReads(this.store, NOTHING_LOST), NO_CHANGES, NO_OUTAGE);
  readonly transactions = new Transactions(this.source);
  readonly recorder = new KeyChangeRecorder(new AuditLog(), new Outbox());
  readonly teams = new TeamsService(new TeamStore(this.source), this.transactions, new AuditLog());
  readonly keys = new KeysService(this.store, this.transactions, this.recorder, this.cache, this.teams);
  readonly bulk = new BulkTransitions(this.store, this.transactions, this.recorder, this.cache);

  static async create(): Promise<KeysDatabase> {
    const { url, drop } = await createScratchDatabase();
    const source = new DataSource({ type: 'postgres', url, entities: [ApiKey, Team], installExtensions: false });
    return new KeysDatabase(await source.initialize(), drop);
  }

  auditRows(id: string): Promise<AuditRow[]> {
    return this.source.query('select * from audit_logs where target_id = $1 order by created_at', [id]);
  }

  events(id: string): Promise<EventRow[]> {
    return this.source.query(`select type, data from events where data->>'key_id' = $1 order by created_at`, [id]);
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.drop();
  }
}
