import type { Config } from '../../config/config.js';
import { GatewayError } from '../../errors/gateway-error.js';
import { parseCatalog } from '../../model-policy/parse-catalog.js';
import { listeningError } from '../../start/addresses.js';
import type { BufferedResponse } from '../../upstream/buffered-response.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
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

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Uses the same HTTP client and credential as the gateway. */
export async function checkUpstream(config: Config): Promise<Finding> {
  if (config.upstreamBaseUrl === null)
    return ok('upstream', 'GW_UPSTREAM_BASE_URL is not set, so the gateway uses the sandbox');
  const place = new URL(config.upstreamBaseUrl).host;
  const client = new UpstreamClient(config);
  try {
    const request = { method: 'GET', path: '/models', bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
    return modelListFinding(await client.fetchSmall(request), place);
  } catch (error) {
    const why = `${place} cannot be reached: ${reasonOf(error)}`;
    return fail(
      'upstream',
      why,
      'Fix GW_UPSTREAM_BASE_URL, or check whether a proxy or firewall blocks the connection.',
    );
  } finally {
    await client.onApplicationShutdown();
  }
}

function modelListFinding({ status, body }: BufferedResponse, place: string): Finding {
  if (status === 401 || status === 403) {
    return fail('upstream', `${place} rejects the credential (${status})`, 'Fix GW_UPSTREAM_API_KEY.');
  }
  if (status === 404) {
    return fail(
      'upstream',
      `${place} has no model list (404)`,
      'Check the path of GW_UPSTREAM_BASE_URL. Most providers need it to end with /v1.',
    );
  }
  if (status !== 200) {
    return fail(
      'upstream',
      `${place} responds to GET /models with ${status}`,
      'Try again. If the error persists, contact the provider.',
    );
  }
  try {
    const { models, next } = parseCatalog(body);
    const more = next === null ? '' : ' on its first page';
    return ok('upstream', `${place} lists ${models.length} ${models.length === 1 ? 'model' : 'models'}${more}`);
  } catch (error) {
    const advice =
      'Check that the account has models, and that GW_UPSTREAM_BASE_URL is the address of the API, not of a web page.';
    return fail('upstream', `${place} returned an unusable model list: ${reasonOf(error)}`, advice);
  }
}

/** Prefers the cause, which has details that the public message hides: an address or a system code, never a credential. */
function reasonOf(error: unknown): string {
  const inner = error instanceof GatewayError && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}
