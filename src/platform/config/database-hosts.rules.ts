/** One server of a URL. */
export interface DatabaseHost {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** libpq's values of `target_session_attrs`. */
export const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type SessionTarget = (typeof TARGETS)[number];

export const DEFAULT_PORT = 5432;
const HOSTS_MAX = 16;
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)(.*)$/s;
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d+))?$/;

/**
 * Writes libpq's list `h1:5432,h2:5432` as its parameters `host` and `port`, because a list is not valid in a URL of the web. The
 * rest of the code thus handles a single form. Returns other texts, and invalid lists, unchanged.
 */
export function withHostParameters(text: string): string {
  const [, start, list = '', rest] = AUTHORITY.exec(text) ?? [];
  const hosts = list.split(',').map((entry) => HOST.exec(entry));
  const [first] = hosts;
  if (!first || hosts.includes(null)) return text;
  const url = URL.parse(`${start}${first[0]}${rest}`);
  if (url === null || url.searchParams.has('host')) return text;
  const names = hosts.map((entry) => decodeURIComponent(entry![1]!).replace(/^\[(.+)\]$/, '$1'));
  url.searchParams.set('host', names.join(','));
  url.searchParams.set('port', hosts.map((entry) => entry![2] ?? DEFAULT_PORT).join(','));
  return url.href;
}

/** As in libpq, a single port is for all hosts, and the parameters replace the host and the port before the path. */
export function hostsOf({ hostname, port, searchParams }: URL): DatabaseHost[] {
  const names = (searchParams.get('host') || decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1')).split(',');
  const ports = (searchParams.get('port') || port || String(DEFAULT_PORT)).split(',');
  return names.map((host, at) => ({ host, port: Number((ports.length === 1 ? ports[0] : ports[at]) || DEFAULT_PORT) }));
}

export const targetOf = ({ searchParams }: URL): SessionTarget =>
  (searchParams.get('target_session_attrs') || 'any') as SessionTarget;

/** The hosts of a URL as text for messages, without user and password. */
export const placeOf = (url: string): string =>
  hostsOf(new URL(url))
    .map(({ host, port }) => (host === '' ? 'the local socket' : `${host.includes(':') ? `[${host}]` : host}:${port}`))
    .join(', ');

/** Returns what is wrong with the hosts, as the rest of a sentence after the name of the setting. */
export function hostsProblem(url: URL): string | null {
  const hosts = hostsOf(url);
  const ports = (url.searchParams.get('port') ?? '').split(',').length;
  if (hosts.length > HOSTS_MAX) return `has more than ${HOSTS_MAX} hosts. Remove some.`;
  if (hosts.length > 1 && hosts.some(({ host }) => host === '')) return 'has an empty host in its list. Remove it.';
  if (ports !== 1 && ports !== hosts.length) return 'has another number of ports than of hosts. Set one port per host.';
  return hosts.every(({ port }) => Number.isInteger(port) && port > 0 && port < 65_536)
    ? null
    : 'has a port that is not a number from 1 to 65535. Fix it.';
}
