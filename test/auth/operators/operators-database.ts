import { DataSource } from 'typeorm';
import { AuditLog } from '../../../src/audit/audit-log.js';
import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import type { Database } from '../../../src/platform/database/database.service.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { SignInRecords, SignIn } from '../../../src/auth/operators/sign-in.service.js';
import { FirstOwner } from '../../../src/auth/operators/first-owner.service.js';
import { Lockout } from '../../../src/auth/operators/lockout.service.js';
import { type NewOperator, type Operator, OperatorsService } from '../../../src/auth/operators/operators.service.js';
import { Passwords } from '../../../src/auth/operators/passwords.service.js';
import { SessionLifetime } from '../../../src/auth/operators/session-lifetime.service.js';
import { SessionsService } from '../../../src/auth/operators/sessions.service.js';
import { PasswordGuessStore } from '../../../src/auth/operators/stores/password-guess.store.js';
import { OperatorStore } from '../../../src/auth/operators/stores/operator.store.js';
import { SessionStore } from '../../../src/auth/operators/stores/session.store.js';
import type { AdminActor } from '../../../src/platform/request-context/caller-session.js';
import { Secrets } from '../../../src/platform/secrets.js';
import { until } from '../../support/until.js';
import { createScratchDatabase } from '../../support/scratch-database.js';

export const ACTOR: AdminActor = { type: 'admin_key', id: null, requestId: 'request-1', ip: '192.0.2.7' };
export const PASSWORD = 'Correct-horse-battery-9';
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** A clock that only the test advances. */
class SetClock extends Clock {
  nowMs = Date.now();

  override now(): number {
    return this.nowMs;
  }
}

interface AuditRow {
  readonly action: string;
  readonly actor_type: string;
  readonly target_type: string;
  readonly target_id: string | null;
  readonly metadata: Record<string, unknown>;
}

/**
 * Holds each change until another change has written its audit row too or waits for a lock. Changes that do not lock each
 * other therefore both read the old state.
 */
export class MeetingAudit extends AuditLog {
  private arrived = 0;

  constructor(private readonly watcher: DataSource) {
    super();
  }

  override async write(...args: Parameters<AuditLog['write']>): Promise<void> {
    await super.write(...args);
    this.arrived++;
    await until(async () => this.arrived > 1 || (await this.hasWaiter()));
  }

  private async hasWaiter(): Promise<boolean> {
    const rows = await this.watcher.query<object[]>(
      `select 1 from pg_locks join pg_database on oid = database
        where not granted and locktype = 'advisory' and datname = current_database()`,
    );
    return rows.length > 0;
  }
}

interface Replaced {
  readonly audit?: AuditLog;
  readonly secretKey?: string;
  readonly sessionHoursMax?: string;
}

const READY: Partial<Database> = { state: 'ready', whenReady: () => Promise.resolve() };

export class OperatorsProcess {
  readonly clock = new SetClock();
  readonly store = new OperatorStore(this.source);
  readonly sessionStore = new SessionStore(this.source);
  readonly transactions = new Transactions(this.source);
  readonly passwords = new Passwords(new Lockout(new PasswordGuessStore(), this.transactions, this.clock));
  readonly operators: OperatorsService;
  readonly sessions: SessionsService;
  readonly records: SignInRecords;
  private readonly signIns: SignIn;

  constructor(
    readonly source: DataSource,
    { audit = new AuditLog(), secretKey = SECRET_KEY, sessionHoursMax = '720' }: Replaced = {},
  ) {
    const { store, sessionStore, transactions, passwords, clock } = this;
    const secrets = new Secrets(Config.from({ GW_SECRET_KEY: secretKey }));
    this.operators = new OperatorsService(store, sessionStore, transactions, audit, passwords);
    const lifetime = new SessionLifetime(Config.from({ GW_SESSION_MAX_HOURS: sessionHoursMax }), clock);
    this.sessions = new SessionsService(sessionStore, transactions, audit, secrets, lifetime);
    this.records = new SignInRecords(store, this.sessions, passwords, transactions, audit);
    this.signIns = new SignIn(store, passwords, this.records, this.firstOwner());
  }

  /** Creates an owner only if `env` names one. */
  firstOwner(env: Record<string, string> = {}, database = READY): FirstOwner {
    return new FirstOwner(Config.from(env), database as Database, this.operators);
  }

  signIn(email: string, password = PASSWORD, ip: string | null = '192.0.2.1', userAgent: string | null = 'browser') {
    return this.signIns.signIn({ email, password }, { ip, userAgent, requestId: 'request-2' });
  }
}

export class OperatorsDatabase {
  readonly one = new OperatorsProcess(this.sources[0]);
  readonly other = new OperatorsProcess(this.sources[1]);
  private names = 0;

  private constructor(
    readonly sources: readonly [DataSource, DataSource],
    private readonly drop: () => Promise<void>,
  ) {}

  static async create(): Promise<OperatorsDatabase> {
    const { url, drop } = await createScratchDatabase();
    const connect = () => new DataSource({ type: 'postgres', url, poolSize: 4, installExtensions: false }).initialize();
    return new OperatorsDatabase([await connect(), await connect()], drop);
  }

  get source(): DataSource {
    return this.sources[0];
  }

  newEmail(): string {
    return `operator${++this.names}@example.test`;
  }

  newOperator(fields: Partial<NewOperator> = {}): Promise<Operator> {
    const operator = { email: this.newEmail(), name: 'Op', role: 'admin', password: PASSWORD, ...fields } as const;
    return this.one.operators.create(operator, ACTOR);
  }

  /** Returns the rows about an operator or a session, oldest first. @param targetId null for rows without a target */
  auditRows(targetId: string | null): Promise<AuditRow[]> {
    return this.source.query(
      'select * from audit_logs where target_id is not distinct from $1 order by created_at, action',
      [targetId],
    );
  }

  async count(table: 'operators' | 'operator_sessions' | 'password_guesses' | 'audit_logs'): Promise<number> {
    const [row] = await this.source.query<[{ count: number }]>(`select count(*)::int as count from ${table}`);
    return row.count;
  }

  async dump(): Promise<string> {
    const tables = ['operators', 'operator_sessions', 'password_guesses', 'audit_logs'];
    const rows = await Promise.all(
      tables.map((table) => this.source.query<object[]>(`select t::text from ${table} t`)),
    );
    return JSON.stringify(rows);
  }

  async close(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.destroy()));
    await this.drop();
  }
}
