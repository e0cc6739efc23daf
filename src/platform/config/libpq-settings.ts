import { readFileSync } from 'node:fs';
import { DEFAULT_PORT } from './database-hosts.rules.js';
import { databaseUrlProblem, SSL_FILES } from './database-url.js';
import { hasPassword, withPasswordSource, type PasswordSettings } from './password-source.rules.js';

/** The variable that names the host of the database. */
export type DatabaseVariable = 'DATABASE_URL' | 'PGHOST';

/** The values of libpq's variables. Null if unset. */
export interface LibpqValues extends PasswordSettings {
  readonly databaseUrl: string | null;
  readonly pgHost: string | null;
  readonly pgPort: number | null;
  readonly pgUser: string | null;
  readonly pgPassword: string | null;
  readonly pgDatabase: string | null;
  readonly pgPassFile: string | null;
  readonly pgSslMode: string | null;
  readonly pgSslRootCert: string | null;
  readonly pgSslCert: string | null;
  readonly pgSslKey: string | null;
}

/**
 * Returns the URL of the database: `DATABASE_URL`, or a URL built from the variables if `PGHOST` and
 * `PGDATABASE` are set. As in libpq, the TLS variables also apply to a `DATABASE_URL`, unless it has TLS parameters.
 * @param problems receives the problems of variables that are valid on their own
 */
export function completeDatabaseUrl(values: LibpqValues, problems: string[]): string | null {
  const url = values.databaseUrl ?? urlOfParts(values);
  return withPasswordSource(url === null ? null : withTls(url, values, problems), values, problems);
}

/** The same TLS settings and, without a password of its own, the same source of the password apply to the replica. */
export function completeReplicaUrl(url: string | null, values: LibpqValues, problems: string[]): string | null {
  if (url === null) return null;
  const complete = withTls(url, values, problems);
  return hasPassword(new URL(complete)) ? complete : withPasswordSource(complete, values, problems);
}

function withTls(made: string, values: LibpqValues, problems: string[]): string {
  const url = new URL(made);
  if (['ssl', 'sslmode', ...SSL_FILES].some((name) => url.searchParams.has(name))) return made;
  const { pgSslMode, pgSslRootCert, pgSslCert, pgSslKey } = values;
  const ssl = { sslmode: pgSslMode, sslrootcert: pgSslRootCert, sslcert: pgSslCert, sslkey: pgSslKey };
  for (const [name, value] of Object.entries(ssl)) if (value !== null) url.searchParams.set(name, value);
  const problem = databaseUrlProblem(url.href);
  if (problem !== null) problems.push(`The database connection ${problem}`);
  return url.search === new URL(made).search ? made : url.href;
}

function urlOfParts(values: LibpqValues): string | null {
  const { pgHost, pgDatabase, pgUser } = values;
  if (pgHost === null || pgDatabase === null) return null;
  const password = values.pgPassword ?? passwordInFile(values);
  const credentials = pgUser === null ? '' : `${encode(pgUser)}${password === null ? '' : `:${encode(password)}`}@`;
  const host = pgHost.includes(':') ? `[${pgHost}]` : encode(pgHost);
  return `postgres://${credentials}${host}:${values.pgPort ?? DEFAULT_PORT}/${encode(pgDatabase)}`;
}

const encode = encodeURIComponent;

/** The lines are `host:port:database:user:password`, with `*` for any value. The first match wins. */
function passwordInFile({ pgPassFile, pgHost, pgPort, pgDatabase, pgUser }: LibpqValues): string | null {
  if (pgPassFile === null) return null;
  const wanted = [pgHost, String(pgPort ?? DEFAULT_PORT), pgDatabase, pgUser];
  for (const line of readFileSync(pgPassFile, 'utf8').split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = (line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? []).map((field) =>
      field.replace(/:$/, '').replace(/\\(.)/g, '$1'),
    );
    const [password] = fields.slice(wanted.length);
    if (password && wanted.every((value, at) => fields[at] === '*' || fields[at] === value)) return password;
  }
  return null;
}
