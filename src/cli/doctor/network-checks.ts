import type { Config } from '../../config/config.js';
import { listeningError } from '../../start/addresses.js';
import { fail, ok, type Finding } from './finding.js';

const HEALTH_TIMEOUT_MS = 3000;
/** A server can listen on these addresses, but a client cannot connect to them. */
const CONNECT_HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('port', 'PORT is 0, so the gateway picks a free port at startup');
  const error = await listeningError(host, port);
  if (error === null) return ok('port', `${host}:${port} is free, so no gateway is running there`);
  const code = error.code ?? String(error);
  switch (code) {
    case 'EADDRINUSE':
      return identifyListener(host, port);
    case 'EACCES':
      return fail('port', `this user cannot listen on ${host}:${port}`, 'Set PORT to 1024 or higher.');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return fail(
        'port',
        `${host} is not an address of this machine`,
        'Set HOST to an address of this machine, or to 0.0.0.0 for all of them.',
      );
    default:
      return fail('port', `cannot listen on ${host}:${port}: ${code}`, 'Set another HOST or PORT.');
  }
}

async function identifyListener(host: string, port: number): Promise<Finding> {
  const otherProgram = fail(
    'port',
    `${host}:${port} is in use by another program`,
    'Stop that program, or set another PORT.',
  );
  const name = CONNECT_HOSTS[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const response = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    const { service, version } = (await response.json()) as { service?: unknown; version?: unknown };
    if (service !== 'inference-gateway') return otherProgram;
    return ok('port', `a gateway is running on ${host}:${port}, version ${String(version).slice(0, 100)}`);
  } catch {
    return otherProgram;
  }
}
