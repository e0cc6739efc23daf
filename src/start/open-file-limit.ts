import { readFileSync } from 'node:fs';
import type { Config } from '../platform/config/config.js';

/** Admission, notifications, and the lock of a job */
const DEDICATED_CONNECTIONS = 3;
/** Listeners, log, watched files, and sockets of webhooks, traces and metrics */
const OTHER_FILES = 200;

/** Returns the open files that one process needs if all its upstream connections are in use, each for one client. */
export const openFilesNeeded = (config: Config): number =>
  2 * upstreamConnectionsOf(config) + config.databasePool + DEDICATED_CONNECTIONS + OTHER_FILES;

function upstreamConnectionsOf({ upstreams, upstreamConnections, ...config }: Config): number {
  if (upstreams !== null)
    return upstreams.file.upstreams.reduce((sum, { connections }) => sum + (connections ?? upstreamConnections), 0);
  const { upstreamBaseUrl, upstreamMessagesBaseUrl } = config;
  const servers = upstreamMessagesBaseUrl === null || sameOrigin(upstreamBaseUrl, upstreamMessagesBaseUrl) ? 1 : 2;
  return servers * upstreamConnections;
}

const sameOrigin = (one: string | null, other: string): boolean =>
  one !== null && new URL(one).origin === new URL(other).origin;

/** Node raises the soft limit to the hard limit at startup. Returns null on systems without `/proc`. */
export function openFilesLimit(limits = '/proc/self/limits'): number | null {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync(limits, 'utf8')) ?? [];
    return soft === undefined ? null : soft === 'unlimited' ? Infinity : Number(soft);
  } catch {
    return null;
  }
}

/** Returns a warning, or null if the limit suffices or is unknown. */
export function openFilesWarning(config: Config, limit = openFilesLimit()): string | null {
  const needed = openFilesNeeded(config);
  if (limit === null || limit >= needed) return null;
  return (
    `a process can open ${limit} files, but the settings need up to ${needed}: each of the ${config.upstreamConnections} ` +
    'upstream connections serves a client connection. Raise the limit (ulimit -n, LimitNOFILE), or lower GW_UPSTREAM_CONNECTIONS.'
  );
}
