import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import { emailKeyOf, type Operator } from '../operator.rules.js';

export interface Account extends Operator {
  readonly passwordHash: string;
}

/** Removes the password hash. */
export function operatorOf({ id, email, name, role, disabled, lastLoginAt, createdAt }: Account): Operator {
  return { id, email, name, role, disabled, lastLoginAt, createdAt };
}

type OperatorValues = Pick<Operator, 'name' | 'role' | 'disabled'>;

/** Reads and writes `operators`. */
@Injectable()
export class OperatorStore {
  constructor(private readonly source: DataSource) {}

  async list(page: Page): Promise<{ total: number; operators: Operator[] }> {
    const { total, rows } = await readPage<Operator>(this.source, LIST, [], page);
    return { total, operators: rows };
  }

  async isEmpty(transaction: Transaction = this.source.manager): Promise<boolean> {
    const [{ empty }] = await transaction.query<[{ empty: boolean }]>(EMPTY);
    return empty;
  }

  async findByEmail(email: string): Promise<Account | null> {
    const emailKey = emailKeyOf(email);
    // PostgreSQL rejects NUL in parameters, and no stored email contains it.
    if (emailKey.includes('\0')) return null;
    const [row] = await this.source.query<Account[]>(`${ACCOUNT} where email_key = $1`, [emailKey]);
    return row ?? null;
  }

  async find(id: string): Promise<Account | null> {
    const [row] = await this.source.query<Account[]>(`${ACCOUNT} where id = $1`, [id]);
    return row ?? null;
  }

  /** Serializes changes of operators, so that concurrent ones cannot create two first owners or remove all owners. */
  async lockOwners(transaction: Transaction): Promise<void> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('operators', 0))`);
  }

  /** Locks the operator's row until the transaction ends. Sessions can still be added. */
  async lock(transaction: Transaction, id: string): Promise<Account | null> {
    const [row] = await transaction.query<Account[]>(`${ACCOUNT} where id = $1 for no key update`, [id]);
    return row ?? null;
  }

  /** Requires `lockOwners`. */
  async hasOtherOwner(transaction: Transaction, id: string): Promise<boolean> {
    const [{ found }] = await transaction.query<[{ found: boolean }]>(
      `select exists (select 1 from operators where role = 'owner' and not disabled and id <> $1) as found`,
      [id],
    );
    return found;
  }

  /** Returns null if an operator with this email exists. */
  async insert(
    transaction: Transaction,
    operator: Pick<Account, 'email' | 'name' | 'role' | 'passwordHash'>,
  ): Promise<Operator | null> {
    const { email, name, role, passwordHash } = operator;
    const [row] = await transaction.query<Operator[]>(INSERT, [email, emailKeyOf(email), name, role, passwordHash]);
    return row ?? null;
  }

  async update(transaction: Transaction, id: string, { name, role, disabled }: OperatorValues): Promise<void> {
    await transaction.query(
      'update operators set name = $2, role = $3, disabled = $4, updated_at = clock_timestamp() where id = $1',
      [id, name, role, disabled],
    );
  }

  async setPasswordHash(transaction: Transaction, id: string, passwordHash: string): Promise<void> {
    await transaction.query('update operators set password_hash = $2, updated_at = clock_timestamp() where id = $1', [
      id,
      passwordHash,
    ]);
  }

  /** A sign-in is not a change of the operator, so `updated_at` stays. */
  async setLastLogin(transaction: Transaction, id: string, at: Date): Promise<void> {
    await transaction.query('update operators set last_login_at = $2 where id = $1', [id, at]);
  }

  async delete(transaction: Transaction, id: string): Promise<void> {
    await transaction.query('delete from operators where id = $1', [id]);
  }
}

const FIELDS = `id, email, name, role, disabled, last_login_at as "lastLoginAt", created_at as "createdAt"`;
const ACCOUNT = `select ${FIELDS}, password_hash as "passwordHash" from operators`;

const LIST = {
  rows: `select ${FIELDS} from operators order by created_at desc, id desc limit $1 offset $2`,
  count: 'select count(*)::int as total from operators',
};
const EMPTY = `select not exists (select 1 from operators) as empty`;

const INSERT = `
  insert into operators (email, email_key, name, role, password_hash)
  values ($1, $2, $3, $4, $5)
  on conflict (email_key) do nothing
  returning ${FIELDS}`;
