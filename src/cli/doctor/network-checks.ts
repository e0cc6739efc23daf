import type { Config } from '../../config/config.js';
import { GatewayError } from '../../errors/gateway-error.js';
import { parseCatalog } from '../../model-policy/parse-catalog.js';
import { listeningError } from '../../start/addresses.js';
import type { BufferedResponse } from '../../upstream/buffered-response.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
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

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Asks the provider for its models, by the same way and with the same credential as the gateway does. */
export async function checkUpstream(config: Config): Promise<Finding> {
  if (config.upstreamBaseUrl === null)
    return ok('upstream', 'GW_UPSTREAM_BASE_URL is not set: a start brings the sandbox');
  const place = new URL(config.upstreamBaseUrl).host;
  const client = new UpstreamClient(config);
  try {
    const request = { method: 'GET', path: '/models', bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
    return judged(await client.fetchSmall(request), place);
  } catch (error) {
    const why = `${place} cannot be reached: ${reasonOf(error)}`;
    return fail('upstream', why, 'Put GW_UPSTREAM_BASE_URL right, or see whether a proxy or firewall is between.');
  } finally {
    await client.onApplicationShutdown();
  }
}

function judged({ status, body }: BufferedResponse, place: string): Finding {
  if (status === 401 || status === 403) {
    return fail('upstream', `${place} refuses the credential (${status})`, 'Put GW_UPSTREAM_API_KEY right.');
  }
  if (status === 404) {
    return fail(
      'upstream',
      `${place} has no list of models (404)`,
      'GW_UPSTREAM_BASE_URL has to end with /v1, mostly.',
    );
  }
  if (status !== 200) {
    return fail(
      'upstream',
      `${place} answers GET /models with ${status}`,
      'Try again; ask the provider if it stays so.',
    );
  }
  try {
    const { models, next } = parseCatalog(body);
    const more = next === null ? '' : ' and more';
    return ok('upstream', `${place} answers, and lists ${models.length} model(s)${more}`);
  } catch (error) {
    const advice =
      'See whether the account has models, and whether GW_UPSTREAM_BASE_URL is the API and not a web page.';
    return fail('upstream', `the list of models of ${place} is of no use: ${reasonOf(error)}`, advice);
  }
}

/** The cause says what the public text must not; it holds an address or a system's code, no credential. */
function reasonOf(error: unknown): string {
  const inner = error instanceof GatewayError && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}
