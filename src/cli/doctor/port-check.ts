import type { Config } from '../../config/config.js';
import { listeningError } from '../../start/addresses.js';
import { fail, ok, type Finding } from './finding.js';

const ANSWER_MS_MAX = 3000;
/** What a listener takes as 'every address' is none to call. */
const CALLABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Whether a start could listen, or a gateway does already. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('port', 'PORT is 0: a start takes a free one');
  const error = await listeningError(host, port);
  if (error === null) return ok('port', `${host}:${port} is free: no gateway of this machine listens there`);
  const code = error.code ?? String(error);
  switch (code) {
    case 'EADDRINUSE':
      return whoListens(host, port);
    case 'EACCES':
      return fail('port', `this user may not listen at ${host}:${port}`, 'Set PORT to 1024 or more.');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return fail('port', `${host} is not an address of this machine`, 'Set HOST to one, or to 0.0.0.0 for all.');
    default:
      return fail('port', `${host}:${port} cannot be listened at: ${code}`, 'Set another HOST or PORT.');
  }
}

async function whoListens(host: string, port: number): Promise<Finding> {
  const taken = fail('port', `${host}:${port} is taken, by no gateway`, 'Stop what uses it, or set another PORT.');
  const name = CALLABLE[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const answer = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const { service, version } = (await answer.json()) as { service?: unknown; version?: unknown };
    if (service !== 'inference-gateway') return taken;
    return ok('port', `a gateway answers at ${host}:${port}, version ${String(version).slice(0, 100)}`);
  } catch {
    return taken;
  }
}
