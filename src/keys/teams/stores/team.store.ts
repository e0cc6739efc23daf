import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { Team } from './team.entity.js';

/** `keys` counts all keys of the team, including revoked ones. */
export type CountedTeam = Team & { readonly keys: number };

export type TeamValues = Pick<Team, 'name' | 'tags'>;

/** A null filter matches all teams. */
export interface TeamListQuery extends Page {
  /** Part of the name, ignoring case; `%`, `_` and `\` are literal characters. */
  readonly name: string | null;
  readonly tag: string | null;
}

/** Reads and writes `teams`. Other rooms join the table too. */
@Injectable()
export class TeamStore {
  constructor(private readonly source: DataSource) {}

  /** Ordered by name. `total` counts all matching teams, in the same snapshot. */
  async list({ name, tag, limit, offset }: TeamListQuery): Promise<{ total: number; teams: CountedTeam[] }> {
    const rows = await this.source.query<(CountedTeam & { total: number })[]>(LIST, [name, tag, limit, offset]);
    const [first] = rows;
    return { total: first?.total ?? 0, teams: rows.filter(({ id }) => id !== null).map(withoutTotal) };
  }

  async find(id: string): Promise<CountedTeam | null> {
    const rows = await this.source.query<CountedTeam[]>(`select ${COLUMNS} from teams t where t.id = $1`, [id]);
    return rows[0] ?? null;
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const byIds = 'select id, name from teams where id = any($1)';
    const rows = await this.source.query<Pick<Team, 'id' | 'name'>[]>(byIds, [ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** @param name any text, even text that cannot be stored */
  async findByName(name: string): Promise<CountedTeam | null> {
    // PostgreSQL rejects NUL in parameters.
    if (name.includes('\0')) return null;
    const byName = `select ${COLUMNS} from teams t where lower(t.name) = lower($1)`;
    const rows = await this.source.query<CountedTeam[]>(byName, [name]);
    return rows[0] ?? null;
  }

  /** Returns whether the team exists. If so, it cannot be deleted until the transaction ends. */
  async keep(transaction: Transaction, id: string): Promise<boolean> {
    const rows = await transaction.query<unknown[]>('select 1 from teams where id = $1 for key share', [id]);
    return rows.length > 0;
  }

  /** Serializes name changes, so that `isNameTaken` stays true until the transaction ends. */
  async lockNames(transaction: Transaction): Promise<void> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('teams', 0))`);
  }

  /**
   * Requires `lockNames`.
   * @param exceptId the team that can have the name already; null for a new team
   */
  async isNameTaken(transaction: Transaction, name: string, exceptId: string | null): Promise<boolean> {
    const [{ taken }] = await transaction.query<[{ taken: boolean }]>(TAKEN, [name, exceptId]);
    return taken;
  }

  /** Keys can still be added to the locked team. */
  lock(transaction: Transaction, id: string): Promise<CountedTeam | null> {
    return this.locked(transaction, id, 'for no key update');
  }

  /** Waits for transactions that `keep` the team. Later transactions wait until this one ends, and then find no team. */
  lockToDelete(transaction: Transaction, id: string): Promise<CountedTeam | null> {
    return this.locked(transaction, id, 'for update');
  }

  /** Requires `lockNames`. A trigger increases the version of the limits, because team tags determine which limits apply. */
  async insert(transaction: Transaction, { id, name, tags }: TeamValues & Pick<Team, 'id'>): Promise<CountedTeam> {
    const [team] = await transaction.query<[CountedTeam]>(INSERT, [id, name, tags]);
    return team;
  }

  async update(transaction: Transaction, team: CountedTeam, { name, tags }: TeamValues): Promise<CountedTeam> {
    const [{ updatedAt }] = await transaction.query<[Pick<Team, 'updatedAt'>]>(UPDATE, [team.id, name, tags]);
    return { ...team, name, tags, updatedAt };
  }

  /** The IDs of the team's limits, in the order in which admission locks them. */
  async limitsOf(transaction: Transaction, id: string): Promise<number[]> {
    const rows = await transaction.query<{ id: number }[]>(LIMITS, [id]);
    return rows.map((row) => row.id);
  }

  /** Must be the last statements of its transaction, because requests can wait for the counters of the limits. */
  async delete(transaction: Transaction, id: string, limitIds: readonly number[]): Promise<void> {
    for (const limitId of limitIds) await transaction.query(DELETE_LIMIT, [limitId]);
    await transaction.query('delete from teams where id = $1', [id]);
  }

  /** The keys are counted after the lock, because a statement does not see changes that it waited for. */
  private async locked(transaction: Transaction, id: string, mode: string): Promise<CountedTeam | null> {
    const found = await transaction.query<unknown[]>(`select 1 from teams where id = $1 ${mode}`, [id]);
    if (found.length === 0) return null;
    const [team] = await transaction.query<[CountedTeam]>(`select ${COLUMNS} from teams t where t.id = $1`, [id]);
    return team;
  }
}

const withoutTotal = ({ id, name, tags, createdAt, updatedAt, keys }: CountedTeam): CountedTeam => ({
  id,
  name,
  tags,
  createdAt,
  updatedAt,
  keys,
});

const TEAM = `t.id, t.name, t.tags, t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const COLUMNS = `${TEAM}, (select count(*)::int from api_keys k where k.team_id = t.id) as keys`;

// Always returns one row, so that an empty page still has the total.
const LIST = `
  with found as materialized (
    select * from teams
     where ($1::text is null or strpos(lower(name), lower($1)) > 0) and ($2::text is null or tags @> array[$2])
  )
  select (select count(*)::int from found) as total, page.*
    from (select) one left join (
      select ${COLUMNS} from found t order by lower(t.name), t.id limit $3 offset $4) page on true
   order by lower(page.name), page.id`;

const TAKEN = `
  select exists (select 1 from teams where lower(name) = lower($1) and ($2::uuid is null or id <> $2)) as taken`;

const INSERT = `
  insert into teams (id, name, tags) values ($1, $2, $3)
  returning id, name, tags, created_at as "createdAt", updated_at as "updatedAt", 0 as keys`;

// TypeORM returns the rows of a select directly, but the rows of an update in a pair with their count.
const UPDATE = `
  with changed as (
    update teams
       set name = $2, tags = $3,
           updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
     where id = $1
    returning updated_at)
  select updated_at as "updatedAt" from changed`;

const LIMITS = `
  select id::float8 as id from limits
   where scope = 'team' and scope_id = $1 and deleted_at is null
   order by id for no key update`;

const DELETE_LIMIT = 'update limits set deleted_at = clock_timestamp() where id = $1';
