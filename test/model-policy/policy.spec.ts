import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Audit1790000003000 } from '../../migrations/1790000003000-audit.js';
import { ModelPolicy1790000004000 } from '../../migrations/1790000004000-model-policy.js';
import { AuditLog, type AuditEntry } from '../../src/audit/audit-log.js';
import type { ChangeListener, Changes, ChangeTopic } from '../../src/platform/changes/changes.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { PolicyService } from '../../src/model-policy/policy.service.js';
import { CatalogStore, StoredCatalog } from '../../src/model-policy/stores/catalog.store.js';
import { ModelPolicy } from '../../src/model-policy/stores/model-policy.entity.js';
import { PolicyStore } from '../../src/model-policy/stores/policy.store.js';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { listed } from './fakes.js';
import { NOTHING_LOST } from '../support/nothing-lost.js';

const ACTOR: AdminActor = { type: 'admin_key', id: null, requestId: 'request-1', ip: '127.0.0.1' };
const OPERATOR: AdminActor = { type: 'operator', id: 'operator-1', requestId: 'request-2', ip: '::1' };

/** Delivers the notifications of the database triggers, without the poll. */
class Notifications {
  private readonly listeners: [ChangeTopic, ChangeListener][] = [];

  constructor(client: Client) {
    client.on('notification', ({ channel, payload }) => {
      const changed = channel === 'gw_policy' ? 'tables' : 'catalog';
      for (const [topic, listener] of this.listeners) if (topic === changed) listener(payload ?? null);
    });
  }

  follow(): void {}

  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.listeners.push([topic, listener]);
  }
}

let database: ScratchDatabase;
let source: DataSource;
let client: Client;
let notifications: Notifications;
const services: PolicyService[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
  source = await new DataSource({
    type: 'postgres',
    url: database.url,
    entities: [ModelPolicy, StoredCatalog],
    migrations: [Audit1790000003000, ModelPolicy1790000004000],
  }).initialize();
  await source.runMigrations();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('listen gw_policy; listen gw_catalog');
  notifications = new Notifications(client);
});
afterEach(async () => {
  for (const service of services.splice(0)) service.onModuleDestroy();
  await source.query('truncate model_policies, model_catalog, audit_logs');
});
afterAll(async () => {
  await client.end();
  await source.destroy();
  await database.drop();
});

/** Starts the service of one process. */
async function policyService(audit = new AuditLog()): Promise<PolicyService> {
  const service = new PolicyService(
    new PolicyStore(source),
    notifications as unknown as Changes,
    new Transactions(source),
    audit,
    NOTHING_LOST,
  );
  services.push(service);
  service.onApplicationBootstrap();
  await service.whenKnown;
  return service;
}

const changeOf = (service: PolicyService) => new Promise<void>((resolve) => service.onChange(resolve));
const auditRows = () =>
  source.query<{ action: string; target_id: string; metadata: object }[]>(
    'select action, target_type, target_id, metadata from audit_logs order by created_at',
  );

describe('changes to the model policy', () => {
  test('a change applies in its own process immediately, and in another soon', async () => {
    const [here, there] = [await policyService(), await policyService()];
    const seen = changeOf(there);
    await here.set('gpt-4o', false, null, ACTOR);
    expect(here.of('gpt-4o')).toBe(false);
    await seen;
    expect(there.of('gpt-4o')).toBe(false);

    const removed = changeOf(there);
    expect(await here.remove('gpt-4o', ACTOR)).toBe(true);
    expect(here.of('gpt-4o')).toBeUndefined();
    await removed;
    expect(there.of('gpt-4o')).toBeUndefined();
  });

  test('a change is stored with its actor and replaces the previous row', async () => {
    const policy = await policyService();
    const first = await policy.set('acme/x', true, 'a note', ACTOR);
    expect(first).toMatchObject({ model: 'acme/x', enabled: true, note: 'a note', updatedBy: 'admin_key' });
    const second = await policy.set('acme/x', false, null, OPERATOR);
    expect(second).toMatchObject({ enabled: false, note: null, updatedBy: 'operator-1' });
    expect(await new PolicyStore(source).find('acme/x')).toEqual(second);
    expect(second.updatedAt.getTime()).toBeGreaterThanOrEqual(first.updatedAt.getTime());
  });

  test('each change writes an audit row with the old and new values', async () => {
    const policy = await policyService();
    await policy.set('gpt-4o', true, 'a note', ACTOR);
    await policy.set('gpt-4o', false, 'a note', ACTOR);
    await policy.remove('gpt-4o', OPERATOR);
    expect(await policy.remove('gpt-4o', OPERATOR)).toBe(false);
    const by = { actor_id: null, request_id: 'request-1', ip: '127.0.0.1' };
    const target = { target_type: 'model', target_id: 'gpt-4o' };
    const set = { ...target, action: 'model_policy.set' };
    expect(await auditRows()).toEqual([
      {
        ...set,
        metadata: { ...by, changes: { enabled: { old: null, new: true }, note: { old: null, new: 'a note' } } },
      },
      { ...set, metadata: { ...by, changes: { enabled: { old: true, new: false } } } },
      {
        ...target,
        action: 'model_policy.deleted',
        metadata: {
          actor_id: 'operator-1',
          request_id: 'request-2',
          ip: '::1',
          changes: { enabled: { old: false, new: null }, note: { old: 'a note', new: null } },
        },
      },
    ]);
  });

  test('rolls a change back if its audit row cannot be written', async () => {
    class NoAudit extends AuditLog {
      override async write(transaction: Parameters<AuditLog['write']>[0], entry: AuditEntry): Promise<void> {
        await super.write(transaction, entry);
        throw new Error('no audit');
      }
    }
    const policy = await policyService(new NoAudit());
    await expect(policy.set('gpt-4o', false, null, ACTOR)).rejects.toThrow('no audit');
    expect((await new PolicyStore(source).all()).rows).toEqual(new Map());
    expect(await auditRows()).toEqual([]);
  });

  test('concurrent changes are serialized, so that each audit row continues the previous one', async () => {
    const policy = await policyService();
    await Promise.all(Array.from({ length: 8 }, (_, n) => policy.set('gpt-4o', n % 2 === 0, `note ${n}`, ACTOR)));
    const notes = (await auditRows()).map(({ metadata }) => (metadata as { changes: { note: object } }).changes.note);
    const news = notes.map((note) => (note as { new: string }).new);
    expect(notes.map((note) => (note as { old: string | null }).old)).toEqual([null, ...news.slice(0, -1)]);
  });
});

describe('CatalogStore', () => {
  test('only a newer list replaces the stored copy, and each replacement sends a notification', async () => {
    const store = new CatalogStore(source);
    const received: unknown[] = [];
    const first = new Promise<void>((resolve) =>
      notifications.subscribe('catalog', (id) => {
        received.push(id);
        resolve();
      }),
    );
    expect(await store.newer('default', null)).toBeNull();
    const savedAt = await store.save('default', [listed('a'), listed('b')], 50);
    expect(savedAt).not.toBeNull();
    await first;
    expect(await store.save('default', [listed('older')], 60_000)).toBeNull();
    const copy = await store.newer('default', null);
    expect(copy).toMatchObject({ models: [listed('a'), listed('b')], fetchedAt: savedAt });
    expect(copy!.ageMs).toBeGreaterThanOrEqual(50);
    expect(copy!.ageMs).toBeLessThan(30_000);
    expect(await store.newer('default', savedAt)).toBeNull();
    const nextAt = await store.save('default', [listed('c')], 0);
    expect((await store.newer('default', savedAt))?.fetchedAt).toBe(nextAt);
  });
});

test('the migration matches the entities and can be reverted', async () => {
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query).filter((query) => /model_/.test(query))).toEqual([]);
  await source.undoLastMigration();
  const left = `select 1 from pg_class where relname like 'model\\_%' union select 1 from pg_proc where proname like 'notify_model%'`;
  expect(await source.query(left)).toEqual([]);
  await source.runMigrations();
});
