import { placeOf } from '../config/database-hosts.rules.js';
import type { DatabaseVariable } from '../config/libpq-settings.js';
import { hasPasswordSource } from '../config/password-source.rules.js';

/** A problem and its remedy. Both texts can contain the host, port, user and database, but no password. */
interface DatabaseProblem {
  readonly message: string;
  readonly advice: string;
}

interface ProblemPattern extends DatabaseProblem {
  readonly pattern: RegExp;
}

interface DriverError extends Error {
  readonly code?: string;
}

/** @param variable the advice names `DATABASE_URL`, or with `PGHOST` the PG variable that is wrong */
export function databaseProblem(
  error: unknown,
  url: string,
  variable: DatabaseVariable = 'DATABASE_URL',
): DatabaseProblem {
  const { code = '', message } = (error instanceof Error ? error : new Error(String(error))) as DriverError;
  const known =
    TLS_PROBLEMS.find(({ pattern }) => pattern.test(`${code} ${message}`)) ??
    PROBLEMS[code] ??
    OTHER_PROBLEMS.find(({ pattern }) => pattern.test(message));
  const place = placeOf(url);
  const variables = { ...VARIABLES[variable], ...(hasPasswordSource(url) ? OF_PASSWORD_SOURCE : {}) };
  const advice = (known?.advice ?? 'Fix {all}.').replace(/\{(\w+)\}/, (_, name: string) => variables[name]!);
  if (known === undefined) return { message: `the database at ${place} cannot be used: ${message || code}`, advice };
  return { message: `${known.message.replace('{place}', place)}${quoted(message)}`, advice };
}

/** Values for the placeholders in the advice. */
const VARIABLES: Readonly<Record<DatabaseVariable, Readonly<Record<string, string>>>> = {
  DATABASE_URL: {
    all: 'DATABASE_URL',
    host: 'DATABASE_URL',
    address: 'DATABASE_URL',
    credentials: 'DATABASE_URL',
    database: 'DATABASE_URL',
    password: 'DATABASE_URL (postgres://user:password@host/database)',
  },
  PGHOST: {
    all: 'PGHOST and the other PG variables',
    host: 'PGHOST',
    address: 'PGHOST or PGPORT',
    credentials: 'PGUSER or PGPASSWORD',
    database: 'PGDATABASE',
    password: 'PGPASSWORD',
  },
};

const OF_PASSWORD_SOURCE: Readonly<Record<string, string>> = {
  credentials: 'the user, or what GW_DATABASE_PASSWORD_FILE or GW_DATABASE_PASSWORD_COMMAND yields',
};

/** The patterns match the code of Node or PostgreSQL, and the message. */
const TLS_PROBLEMS: readonly ProblemPattern[] = [
  {
    pattern: /^ERR_TLS_CERT_ALTNAME_INVALID/,
    message: 'the certificate of {place} is for another name',
    advice: 'Use a host name that the certificate contains, or sslmode=verify-ca (PGSSLMODE) with sslrootcert.',
  },
  {
    pattern: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    message: 'the certificate of {place} is not valid at this time',
    advice: 'Renew the certificate, or correct the clock of this machine.',
  },
  {
    pattern: /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA)/,
    message: 'the certificate of {place} is not signed by a trusted authority',
    advice: "Set sslrootcert (PGSSLROOTCERT) to the file with the server's certificate authority.",
  },
  {
    pattern: /client certificate|certificate authentication|certificate required|ALERT_(UNKNOWN_CA|BAD_CERTIFICATE)/i,
    message: '{place} requires another client certificate',
    advice: 'Set sslcert and sslkey (PGSSLCERT, PGSSLKEY) to a certificate of this user.',
  },
  {
    pattern: /no encryption/,
    message: '{place} rejects the user without encryption',
    advice: 'Set sslmode=require or sslmode=verify-full (PGSSLMODE), or fix pg_hba.conf.',
  },
  {
    pattern: /no pg_hba\.conf entry .*SSL encryption/,
    message: '{place} rejects the user with encryption',
    advice: 'Set sslmode=disable (PGSSLMODE), or fix pg_hba.conf.',
  },
  {
    pattern: /does not support SSL/i,
    message: '{place} does not accept encrypted connections',
    advice: 'Set sslmode=disable (PGSSLMODE), or enable ssl on the server.',
  },
];

export const sessionModeAdvice = (host: string): string =>
  `Set the pooler to session mode, or point ${host} directly at PostgreSQL.`;

/** Problems by the error code of Node or PostgreSQL. */
const PROBLEMS: Readonly<Record<string, DatabaseProblem>> = {
  GW_SHARED_SESSION: {
    message: '{place} is a connection pooler that is not in session mode',
    advice: sessionModeAdvice('{host}'),
  },
  GW_UNCHECKED_SESSION: {
    message: '{place} is a connection pooler that could not be checked',
    advice: 'Check that the pooler has a free connection and is in session mode.',
  },
  GW_PASSWORD: {
    message: 'there is no password for {place}',
    advice:
      'Fix GW_DATABASE_PASSWORD_FILE or GW_DATABASE_PASSWORD_COMMAND, and run the program by hand to see its errors.',
  },
  GW_SESSION_TARGET: {
    message: 'no server of {place} has the demanded kind',
    advice: 'Check which server is the primary, fix {host}, or change its target_session_attrs.',
  },
  GW_OUTDATED_SERVER: {
    message: '{place} leads to an outdated server',
    advice: 'Fence the old primary, and point {host} at the current one.',
  },
  GW_ENCODING: {
    message: 'the database at {place} cannot store all texts',
    advice: "Create a database with encoding 'UTF8', restore the data there, and name it in {database}.",
  },
  ECONNREFUSED: { message: 'nothing is listening on {place}', advice: 'Start PostgreSQL there, or fix {address}.' },
  ENOTFOUND: { message: 'the host name in {place} does not exist', advice: 'Fix {host}.' },
  EAI_AGAIN: {
    message: 'the host name in {place} could not be resolved',
    advice: 'Check DNS, or fix {host}.',
  },
  ECONNRESET: {
    message: '{place} reset the connection',
    advice: 'Check that PostgreSQL or its pooler is running there.',
  },
  '28P01': { message: '{place} rejects the user or the password', advice: 'Fix {credentials}.' },
  '28000': { message: '{place} rejects the user', advice: 'Fix pg_hba.conf, or {credentials}.' },
  '3D000': { message: '{place} has no such database', advice: 'Create it with createdb, or fix {database}.' },
  '42501': {
    message: '{place} denies access',
    advice: 'Grant the user the missing privileges, which the doctor command lists.',
  },
  '3F000': {
    message: 'the search_path on {place} names no existing schema',
    advice: 'Fix the search_path of the user or of the database.',
  },
  '53300': { message: '{place} has no free connection', advice: 'Raise max_connections or lower GW_DATABASE_POOL.' },
  '57P03': { message: '{place} is starting or stopping', advice: 'Try again in a moment.' },
};

/** Problems without a code. The patterns match the message. */
const OTHER_PROBLEMS: readonly ProblemPattern[] = [
  {
    pattern: /timeout|timed out/i,
    message: '{place} did not respond in time',
    advice: 'Check for a firewall in between, or fix {address}.',
  },
  {
    pattern: /Connection terminated/i,
    message: '{place} closed the connection',
    advice: 'Check that PostgreSQL or its pooler is running there.',
  },
  {
    pattern: /password must be a string/i,
    message: '{place} requires a password',
    advice: 'Set it in {password}.',
  },
];

const quoted = (message: string): string => (message === '' ? '' : ` (${message})`);
