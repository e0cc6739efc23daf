/** Why a database cannot be used, and what to do about it. Neither holds a part of DATABASE_URL but host and port. */
interface DatabaseProblem {
  readonly message: string;
  readonly advice: string;
}

interface DriverError extends Error {
  readonly code?: string;
}

/** @param error as the driver threw it while connecting or asking */
export function databaseProblem(error: unknown, url: string): DatabaseProblem {
  const { code = '', message } = (error instanceof Error ? error : new Error(String(error))) as DriverError;
  const known = PROBLEMS[code] ?? Object.values(WORDED).find(({ pattern }) => pattern.test(message));
  if (known === undefined) {
    return { message: `the database at ${placeOf(url)} cannot be used: ${message || code}`, advice: LOOK_AT_URL };
  }
  return { message: `${known.message.replace('{place}', placeOf(url))}${quoted(message)}`, advice: known.advice };
}

const LOOK_AT_URL = 'Put DATABASE_URL right.';

/** By the system's or PostgreSQL's own code. */
const PROBLEMS: Readonly<Record<string, DatabaseProblem>> = {
  ECONNREFUSED: { message: 'nothing listens at {place}', advice: 'Start PostgreSQL there, or put DATABASE_URL right.' },
  ENOTFOUND: { message: 'the host of {place} is not known', advice: LOOK_AT_URL },
  EAI_AGAIN: {
    message: 'the host of {place} could not be looked up',
    advice: 'See whether DNS works, or put DATABASE_URL right.',
  },
  ECONNRESET: { message: '{place} cut the connection', advice: 'See whether PostgreSQL or its pooler runs there.' },
  '28P01': { message: '{place} refuses the user or the password', advice: LOOK_AT_URL },
  '28000': { message: '{place} refuses the user', advice: 'Put DATABASE_URL or pg_hba.conf right.' },
  '3D000': { message: '{place} has no such database', advice: 'Create it (createdb), or put DATABASE_URL right.' },
  '42501': { message: '{place} refuses', advice: 'Grant the user what it lacks: the command doctor names it.' },
  '3F000': {
    message: '{place} has no schema to work in',
    advice: 'Put the search_path of the user or the database right.',
  },
  '53300': { message: '{place} has no connection left', advice: 'Raise max_connections or lower GW_DATABASE_POOL.' },
  '57P03': { message: '{place} is starting or stopping', advice: 'Try again in a moment.' },
};

/** Without a code: by the driver's words. */
const WORDED = {
  late: {
    pattern: /timeout|timed out/i,
    message: '{place} does not answer in time',
    advice: 'See whether a firewall is between, or put DATABASE_URL right.',
  },
  ended: {
    pattern: /Connection terminated/i,
    message: '{place} ended the connection',
    advice: 'See whether PostgreSQL or its pooler runs there.',
  },
  noPassword: {
    pattern: /password must be a string/i,
    message: '{place} wants a password',
    advice: 'Put it into DATABASE_URL: postgres://user:password@host/database.',
  },
  plain: {
    pattern: /does not support SSL/i,
    message: '{place} takes no encrypted connections',
    advice: 'Take sslmode out of DATABASE_URL, or switch ssl on at the server.',
  },
} as const;

const quoted = (message: string): string => (message === '' ? '' : ` (${message})`);

function placeOf(url: string): string {
  const { host } = new URL(url);
  return host === '' ? 'the local socket' : host;
}
