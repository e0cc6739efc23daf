import { readFileSync } from 'node:fs';
import type { Config } from '../platform/config/config.js';
import { connectionsOf } from '../platform/database/data-source-options.js';

/** Listeners, log, watched files, and sockets of webhooks, traces and metrics */
const OTHER_FILES = 200;

/** Returns the open files that one process needs if all its upstream connections are in use, each for one client. */
export const openFilesNeeded = (config: Config): number =>
  2 * upstreamConnectionsOf(config) + connectionsOf({ databasePool: config.databasePool, workers: 1 }) + OTHER_FILES;

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

interface LimitTooLow {
  readonly problem: string;
  readonly advice: string;
}

/** Returns null if the limit suffices or is unknown. */
export function openFilesProblem(config: Config, limit = openFilesLimit()): LimitTooLow | null {
  const needed = openFilesNeeded(config);
  if (limit === null || limit >= needed) return null;
  const reason = `each of the ${config.upstreamConnections} upstream connections serves a client connection`;
  return {
    problem: `a process can open ${limit} files, but the settings need up to ${needed}: ${reason}`,
    advice: 'Raise the limit (ulimit -n, LimitNOFILE), or lower GW_UPSTREAM_CONNECTIONS.',
  };
}
