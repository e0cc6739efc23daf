export interface PasswordSettings {
  readonly databasePasswordFile: string | null;
  readonly databasePasswordCommand: readonly string[] | null;
}

/** Where each new connection gets its password. */
export type PasswordSource =
  { readonly kind: 'file'; readonly path: string } | { readonly kind: 'command'; readonly command: readonly string[] };

/** The user and the server of a connection, for the placeholders of a command. */
export interface PasswordTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Parameters that carry the source from the settings to every connection. A `DATABASE_URL` cannot contain them. */
const FILE = 'gw_password_file';
const COMMAND = 'gw_password_command';

/**
 * Adds the source of the password to a complete URL.
 * @param url null without an external database
 * @param problems receives what contradicts the source
 */
export function withPasswordSource(url: string | null, values: PasswordSettings, problems: string[]): string | null {
  const { databasePasswordFile: file, databasePasswordCommand: command } = values;
  if (file === null && command === null) return url;
  const name = file === null ? 'GW_DATABASE_PASSWORD_COMMAND' : 'GW_DATABASE_PASSWORD_FILE';
  if (file !== null && command !== null)
    problems.push('GW_DATABASE_PASSWORD_FILE and GW_DATABASE_PASSWORD_COMMAND are both set. Set only one of them.');
  if (url === null) {
    problems.push(`${name} is set without a database. Set DATABASE_URL, or PGHOST and PGDATABASE.`);
    return null;
  }
  const complete = new URL(url);
  if (hasPassword(complete))
    problems.push(`${name} is set, but the database connection has a password already. Remove one of them.`);
  if (file !== null) complete.searchParams.set(FILE, file);
  if (command !== null) complete.searchParams.set(COMMAND, JSON.stringify(command));
  return complete.href;
}

export const hasPassword = ({ password, searchParams }: URL): boolean =>
  password !== '' || (searchParams.get('password') ?? '') !== '';

export const hasPasswordSource = (url: string): boolean =>
  [FILE, COMMAND].some((name) => new URL(url).searchParams.has(name));

/** Returns the source of the password for a connection, with the placeholders replaced. Null if the URL has the password. */
export function passwordSourceOf({ searchParams }: URL, target: PasswordTarget): PasswordSource | null {
  const path = searchParams.get(FILE);
  if (path !== null) return { kind: 'file', path };
  const command = searchParams.get(COMMAND);
  if (command === null) return null;
  const words = JSON.parse(command) as string[];
  const fill = (word: string) => word.replace(PLACEHOLDER, (_, name: keyof PasswordTarget) => String(target[name]));
  return { kind: 'command', command: words.map(fill) };
}

const PLACEHOLDER = /\{(host|port|user|database)\}/g;
