import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MIGRATIONS } from '../../../../migrations/all.js';
import { connectClient } from '../../../../src/platform/database/database-client.js';
import { databaseProblem } from '../../../../src/platform/database/database-problem.rules.js';
import { DedicatedConnection } from '../../../../src/platform/database/dedicated-connection.js';
import { runMigrations } from '../../../../src/platform/database/migration-run.js';
import { SharedSession, sharingSymptom, UncheckedSession } from '../../../../src/platform/database/pooler-check.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { TestGateway } from '../../../support/gateway.js';
import { PGBOUNCER, PgBouncer } from '../../../support/pgbouncer.js';
import { PostgresProxy } from '../../../support/postgres-proxy.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startTransactionPooler, type TransactionPooler } from '../../../support/transaction-pooler.js';
import { until } from '../../../support/until.js';

const KEY_DATA = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12]);
const OTHER_PROCESS_ID = Buffer.from([255, 0, 0, 1]);

/** Forwards connections to PostgreSQL one to one. */
class SessionPooler extends PostgresProxy {
  connections = 0;
  connectionsMax = Infinity;

  /** @param ownIds announces other process IDs than those of PostgreSQL, as all poolers do */
  private constructor(
    target: URL,
    private readonly ownIds: boolean,
  ) {
    super(target);
  }

  static start(url: string, { ownIds }: { ownIds: boolean }): Promise<SessionPooler> {
    return new SessionPooler(new URL(url), ownIds).listen();
  }

  protected override accept(near: Socket): void {
    this.connections += 1;
    if (this.connections > this.connectionsMax) near.destroy();
    else super.accept(near);
  }

  protected override forward(near: Socket, far: Socket): void {
    near.pipe(far);
    far.on('data', (data: Buffer) => {
      const at = data.indexOf(KEY_DATA);
      if (this.ownIds && at >= 0) OTHER_PROCESS_ID.copy(data, at + KEY_DATA.length);
      near.write(data);
    });
  }
}

let scratch: ScratchDatabase;
let pooler: TransactionPooler;
let connection: DedicatedConnection | undefined;
let sessions: SessionPooler | undefined;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  pooler = await startTransactionPooler(scratch.url);
});
beforeEach(() => {
  [connection, sessions] = [undefined, undefined];
});
afterEach(async () => {
  await connection?.stop();
  sessions?.stop();
});
afterAll(async () => {
  await pooler.stop();
  await scratch.drop();
});

function begin(url: string): DedicatedConnection {
  const started = new DedicatedConnection(url, {
    name: 'a test',
    session: { statement_timeout: '1234' },
  });
  started.start();
  return (connection = started);
}

async function statementTimeout({ client }: DedicatedConnection): Promise<string> {
  const { rows } = await client!.query<{ statement_timeout: string }>('show statement_timeout');
  return rows[0]!.statement_timeout;
}

describe('session check', () => {
  test('a direct connection opens no second one', async () => {
    sessions = await SessionPooler.start(scratch.url, { ownIds: false });
    await begin(sessions.url).firstUsable;
    expect(await statementTimeout(connection!)).toBe('1234ms');
    expect(sessions.connections).toBe(1);
  });

  test('a connection through a pooler in session mode is usable, and has its settings', async () => {
    sessions = await SessionPooler.start(scratch.url, { ownIds: true });
    await begin(sessions.url).firstUsable;
    expect(await statementTimeout(connection!)).toBe('1234ms');
    expect(connection!.poolerProblem).toBeNull();
    expect(sessions.connections).toBe(2);
  });

  test('a pooler that has no free connection for the check is unsafe until it has one', async () => {
    sessions = await SessionPooler.start(scratch.url, { ownIds: true });
    sessions.connectionsMax = 1;
    begin(sessions.url);
    await until(() => connection!.lastError !== null);
    expect([connection!.client, connection!.poolerProblem]).toEqual([null, expect.any(UncheckedSession)]);
    sessions.connectionsMax = Infinity;
    await connection!.firstUsable;
    expect(connection!.poolerProblem).toBeNull();
  });

  test('a connection through a pooler in transaction mode never becomes usable, and reports the problem', async () => {
    begin(pooler.url);
    let attempts = 0;
    let last: Error | null = null;
    await until(() => {
      if (connection!.lastError !== last) attempts += 1;
      last = connection!.lastError;
      return attempts >= 3;
    });
    expect(connection!.client).toBeNull();
    expect(connection!.unavailableSinceMs).not.toBeNull();
    const { message, advice } = databaseProblem(connection!.poolerProblem, pooler.url);
    expect(`${message}. ${advice}`).toMatch(
      /^127\.0\.0\.1:\d+ is a connection pooler that is not in session mode \(.+\)\. Set the pooler to session mode/,
    );
  });

  (PGBOUNCER ? test : test.skip).each([
    ['session', null],
    ['transaction', expect.stringContaining('notification')],
    ['statement', expect.stringContaining('notification')],
  ] as const)('two pgbouncers in %s mode behind one address give the symptom %j', async (mode, symptom) => {
    // Each has its own sessions, so the two connections never use the same one.
    const poolers = await Promise.all([PgBouncer.start(scratch.url, mode), PgBouncer.start(scratch.url, mode)]);
    const [one, other] = await Promise.all(poolers.map(({ url }) => connectClient({ connectionString: url })));
    expect(await sharingSymptom(one!, other!)).toEqual(symptom);
    await Promise.all([one!.end(), other!.end()]);
    await Promise.all(poolers.map((each) => each.stop()));
  });

  test('migrations do not run through a pooler in transaction mode, which would not keep their lock', async () => {
    const run = runMigrations({
      url: pooler.url,
      migrations: MIGRATIONS,
      waitSeconds: 1,
      onRetry: () => undefined,
      signal: new AbortController().signal,
    });
    await expect(run).rejects.toThrow(SharedSession);
  });
});

describe('a gateway whose database address moves to a pooler in transaction mode', () => {
  test('rejects known keys with 503 and is not ready, until the address is corrected', async () => {
    const proxy = await FaultProxy.start(scratch.url);
    const gateway = await TestGateway.start({}, { databaseUrl: proxy.url });
    const key = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    proxy.switchTo(pooler.url);
    const readiness = () => gateway.call('GET', '/health/ready');
    await until(async () => (await readiness()).status === 503);
    expect((await readiness()).body).toMatchObject({ status: 'not_ready', database: 'away' });
    const before = gateway.upstream.requests.length;
    for (let nth = 0; nth < 5; nth++) expect((await gateway.chat(key)).status).toBe(503);
    expect((await gateway.call('GET', '/v1/usage', { key })).status).toBe(503);
    expect(gateway.upstream.requests.length).toBe(before);
    proxy.switchTo(scratch.url);
    await until(async () => (await readiness()).status === 200);
    expect((await gateway.chat(key)).status).toBe(200);
    await gateway.stop();
    await proxy.disconnect();
  });
});
