import { TARGETS } from './database-hosts.rules.js';

/** Parameters that the driver sends or uses as they are. */
export const DRIVER_PARAMETERS = [
  'application_name',
  'fallback_application_name',
  'options',
  'sslnegotiation',
] as const;

const ANY = /^/;
/** The parameters of libpq that the gateway supports, with the values that it accepts. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(DRIVER_PARAMETERS.map((name) => [name, ANY])),
  host: ANY,
  port: ANY,
  user: ANY,
  password: ANY,
  target_session_attrs: new RegExp(`^(${TARGETS.join('|')})$`),
  connect_timeout: /^-?\d{1,9}$/,
  channel_binding: /^(disable|prefer|require)$/,
  client_encoding: /^(utf-?8|auto)$/i,
  gssencmode: /^(disable|prefer)$/,
  load_balance_hosts: /^disable$/,
  ssl: ANY,
  sslmode: ANY,
  sslrootcert: ANY,
  sslcert: ANY,
  sslkey: ANY,
  sslpassword: ANY,
  uselibpqcompat: ANY,
};

/** Names that a message can show. A name that is not in this list might be a part of a password. */
const NAMED = new Set(
  (
    'hostaddr dbname passfile require_auth keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout ' +
    'replication gsslib krbsrvname service sslcrl sslcrldir sslcompression sslcertmode sslsni ssl_min_protocol_version ' +
    'ssl_max_protocol_version statement_timeout lock_timeout schema search_path pgbouncer connection_limit pool_timeout ' +
    'socket_timeout statement_cache_size pool_size max_connections'
  ).split(' '),
);

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns which parameter the gateway cannot use, as the rest of a sentence after the name of the setting. */
export function parametersProblem({ searchParams }: URL): string | null {
  for (const [name, value] of searchParams) {
    const accepted = KNOWN[name];
    const shown = NAMED.has(name) ? `the parameter ${name}` : 'a parameter';
    if (accepted === undefined)
      return `has ${shown} that the gateway does not support. Remove it. It supports ${AND.format(Object.keys(KNOWN))}.`;
    if (value !== '' && !accepted.test(value)) return `has an invalid ${name}. It must match ${accepted.source}.`;
  }
  return null;
}
