import type { Session } from '../../database/stores/timed-client.js';

interface ServerFacts extends Record<string, unknown> {
  /** For example, 150004 is version 15.4. */
  readonly version_num: number;
  readonly version: string;
  /** The server is a replica, or transactions are read-only by default. */
  readonly read_only: boolean;
  readonly now_ms: number;
}

export async function serverFacts(session: Session): Promise<ServerFacts> {
  const [facts] = await session.rows<ServerFacts>(`
    select current_setting('server_version_num')::int as version_num,
           current_setting('server_version') as version,
           pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only,
           (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`);
  return facts!;
}

interface ServerSettings extends Record<string, unknown> {
  readonly encoding: string;
  /** PostgreSQL 17 or newer. It also ends long migrations. */
  readonly transaction_timeout: string | null;
  readonly user: string;
  /** Settings whose defaults the gateway replaces on its connections, as `name = value`. */
  readonly replaced: readonly string[];
}

export async function serverSettings(session: Session): Promise<ServerSettings> {
  const [settings] = await session.rows<ServerSettings>(`
    select current_setting('server_encoding') as encoding,
           (select reset_val from pg_settings where name = 'transaction_timeout' and reset_val <> '0') as transaction_timeout,
           current_user::text as user,
           array(select name || ' = ' || reset_val from pg_settings
                  where (name = 'default_transaction_isolation' and reset_val <> 'read committed')
                     or (name in ('statement_timeout', 'lock_timeout', 'idle_session_timeout') and reset_val <> '0')
                     or (name = 'synchronous_commit' and reset_val in ('off', 'local'))
                  order by name) as replaced`);
  return settings!;
}

interface Replication extends Record<string, unknown> {
  readonly standby: boolean;
  /** Empty without synchronous standbys. */
  readonly synchronous_names: string;
  readonly standbys: number;
}

/** Every user can count the standbys. Their other columns need rights. */
export async function replication(session: Session): Promise<Replication> {
  const [found] = await session.rows<Replication>(`
    select pg_is_in_recovery() as standby,
           current_setting('synchronous_standby_names') as synchronous_names,
           (select count(*)::int from pg_stat_replication where application_name is distinct from 'pg_basebackup') as standbys`);
  return found!;
}

export interface ConnectionBound extends Record<string, unknown> {
  readonly what: 'server' | 'database' | 'user';
  readonly most: number;
  /** Includes the connections of this command. */
  readonly used: number;
}

export function connectionBounds(session: Session): Promise<ConnectionBound[]> {
  return session.rows<ConnectionBound>(`
    select 'server' as what,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
           (select sum(numbackends)::int from pg_stat_database) as used
    union all
    select 'database', datconnlimit, (select numbackends from pg_stat_database where datname = current_database())
      from pg_database where datname = current_database() and datconnlimit >= 0
    union all
    select 'user', rolconnlimit, (select count(*)::int from pg_stat_activity where usename = current_user)
      from pg_roles where rolname = current_user and rolconnlimit >= 0`);
}

interface SchemaRights extends Record<string, unknown> {
  readonly schema: string | null;
  readonly create: boolean;
  readonly user: string;
}

export async function schemaRights(session: Session): Promise<SchemaRights> {
  const [rights] = await session.rows<SchemaRights>(`
    select current_schema()::text as schema, current_user::text as user,
           coalesce(has_schema_privilege(current_schema(), 'create'), false) as create`);
  return rights!;
}

interface ClosedTable extends Record<string, unknown> {
  readonly name: string;
  /** The table is partitioned, and only its owner can create partitions. */
  readonly needs_owner: boolean;
}

/** Finds tables on which the user lacks a right. Migrations create all tables, so `migrations` has the same owner. */
export function closedTables(session: Session): Promise<ClosedTable[]> {
  return session.rows<ClosedTable>(`
    with ours as (
      select c.oid, c.relname::text as name, c.relkind = 'p' and not pg_has_role(c.relowner, 'usage') as needs_owner
        from pg_class c join pg_class m on m.oid = to_regclass('migrations')
       where c.relnamespace = m.relnamespace and c.relowner = m.relowner
         and c.relkind in ('r', 'p') and not c.relispartition)
    select name, needs_owner from ours
     where needs_owner or not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
                               and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
     order by name`);
}

export async function webhookSecrets(session: Session): Promise<string[]> {
  return (await session.rows<{ secret: string }>('select secret from webhooks')).map(({ secret }) => secret);
}
