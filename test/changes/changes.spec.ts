import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Changes, type ChangeTopic } from '../../src/changes/changes.js';
import { Database } from '../../src/database/database.service.js';
import { startDatabaseApp } from '../support/database-app.js';
import { until } from '../support/until.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';

/** D3: within one second of the change; the rest is room for a busy machine. */
const TOLD_MS_MAX = 3000;
const WRITE_CATALOG = `insert into model_catalog (body, fetched_at) values ('{}', now())
  on conflict (id) do update set fetched_at = excluded.fetched_at`;

describe('changes', () => {
  let scratch: ScratchDatabase;
  let app: INestApplicationContext;
  let admin: DataSource;
  let keyId: string;
  let told: [ChangeTopic, string | null][] = [];

  const wasTold = (topic: ChangeTopic, id: string | null) =>
    told.some((entry) => entry[0] === topic && entry[1] === id);
  const insertKey = async (name: string) => {
    const sql = `insert into api_keys (name, key_hash, key_hint) values ($1, decode(md5(random()::text), 'hex'), 'x') returning id`;
    return (await admin.query<[{ id: string }]>(sql, [name]))[0].id;
  };
  /** As a pooler that loses notices would have it: the triggers that tell do not run. */
  const withoutNotice = async (sql: string, parameters: unknown[] = []) => {
    await admin.query('set session_replication_role = replica');
    await admin.query(sql, parameters);
    await admin.query('set session_replication_role = origin');
  };
  /** Above all others. */
  const raiseVersion = (by = 1) => {
    const sql = 'update key_quota set version = (select max(version) from key_quota) + $2 where key_id = $1';
    return withoutNotice(sql, [keyId, by]);
  };

  /** Resolves when a poll that began after the call has told what it found. */
  const pollsAgain = async () => {
    told = [];
    await raiseVersion();
    await until(() => wasTold('key', keyId) || wasTold('key', null), TOLD_MS_MAX);
  };

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    admin = new DataSource({ type: 'postgres', url: scratch.url, poolSize: 1 });
    await admin.initialize();
    app = await startDatabaseApp(scratch.url);
    for (const topic of ['key', 'policy', 'catalog'] as const) {
      app.get(Changes).subscribe(topic, (id) => told.push([topic, id]));
    }
    await app.get(Database).whenReady();
    keyId = await insertKey('first');
    await until(() => wasTold('key', keyId), TOLD_MS_MAX);
    await pollsAgain();
  });

  afterAll(async () => {
    await app.close();
    await admin.destroy();
    await scratch.drop();
  });

  beforeEach(() => {
    told = [];
  });

  test('of a key are told by its id', async () => {
    await admin.query('update api_keys set rpm_limit = 7 where id = $1', [keyId]);
    await until(() => wasTold('key', keyId), TOLD_MS_MAX);
  });

  test('of policy and catalog are told', async () => {
    await admin.query(`insert into model_policies values ('some/model', false, null, now(), 'test')`);
    await admin.query(WRITE_CATALOG);
    await until(() => wasTold('policy', 'some/model') && told.some(([topic]) => topic === 'catalog'), TOLD_MS_MAX);
  });

  test('made while the connection was cut are told as: anything may have changed', async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'gateway-watch'`;
    await admin.query(`${cut}; update api_keys set rpm_limit = 8`);
    await until(() => (['key', 'policy', 'catalog'] as const).every((topic) => wasTold(topic, null)), TOLD_MS_MAX);
    told = [];
    await admin.query('update api_keys set rpm_limit = 9 where id = $1', [keyId]);
    await until(() => wasTold('key', keyId), TOLD_MS_MAX);
  });

  test('of a key whose notice was lost are found', async () => {
    await raiseVersion();
    await until(() => wasTold('key', keyId), TOLD_MS_MAX);
  });

  test('of a key that commits after a later change are found', async () => {
    const second = await insertKey('second');
    await until(() => wasTold('key', second), TOLD_MS_MAX);
    await raiseVersion(2_000_000);
    await until(() => wasTold('key', keyId), TOLD_MS_MAX);
    told = [];
    const earlier = `(select max(version) - 1000000 from key_quota)`;
    await withoutNotice(`update key_quota set version = ${earlier} where key_id = $1`, [second]);
    await until(() => wasTold('key', second), TOLD_MS_MAX);
  });

  test('of a policy whose notice was lost are found, deletions too', async () => {
    await withoutNotice(
      `insert into model_policies values ('a', false, null, now(), 'test'), ('b', true, null, now(), 'test')`,
    );
    await until(() => wasTold('policy', null), TOLD_MS_MAX);
    told = [];
    await withoutNotice(`update model_policies set enabled = true where model = 'a'`);
    await until(() => wasTold('policy', null), TOLD_MS_MAX);
    told = [];
    await withoutNotice(`delete from model_policies where model = 'a'`);
    await until(() => wasTold('policy', null), TOLD_MS_MAX);
  });

  test('of the catalog whose notice was lost are found', async () => {
    await withoutNotice(WRITE_CATALOG);
    await until(() => wasTold('catalog', null), TOLD_MS_MAX);
  });

  test('of very many keys at once are told as: anything may have changed', async () => {
    await admin.query(`insert into api_keys (name, key_hash, key_hint)
      select 'many', decode(md5('many' || n), 'hex'), 'x' from generate_series(1, 2500) n`);
    const [last] = await admin.query<[{ id: string }]>(
      `select id from api_keys where key_hash = decode(md5('many2500'), 'hex')`,
    );
    await until(() => wasTold('key', last.id), TOLD_MS_MAX);
    await pollsAgain();
    await withoutNotice(`update key_quota set version = version + 10000000`);
    told = [];
    await until(() => wasTold('key', null), TOLD_MS_MAX);
    expect(told.filter(([, id]) => id !== null)).toEqual([]);
  });
});
