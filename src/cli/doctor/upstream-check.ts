import type { Config } from '../../config/config.js';
import { GatewayError } from '../../errors/gateway-error.js';
import { parseCatalog } from '../../model-policy/parse-catalog.js';
import type { BufferedResponse } from '../../upstream/buffered-response.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { fail, ok, type Finding } from './finding.js';

const CHECK = 'upstream';
const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/** Asks the provider for its models, by the same way and with the same credential as the gateway does. */
export async function checkUpstream(config: Config): Promise<Finding> {
  if (config.upstreamBaseUrl === null) return ok(CHECK, 'GW_UPSTREAM_BASE_URL is not set: a start brings the sandbox');
  const place = new URL(config.upstreamBaseUrl).host;
  const client = new UpstreamClient(config);
  try {
    const request = { method: 'GET', path: '/models', bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
    return judged(await client.fetchSmall(request), place);
  } catch (error) {
    const why = `${place} cannot be reached: ${reasonOf(error)}`;
    return fail(CHECK, why, 'Put GW_UPSTREAM_BASE_URL right, or see whether a proxy or firewall is between.');
  } finally {
    await client.onApplicationShutdown();
  }
}

function judged({ status, body }: BufferedResponse, place: string): Finding {
  if (status === 401 || status === 403) {
    return fail(CHECK, `${place} refuses the credential (${status})`, 'Put GW_UPSTREAM_API_KEY right.');
  }
  if (status === 404) {
    return fail(CHECK, `${place} has no list of models (404)`, 'GW_UPSTREAM_BASE_URL has to end with /v1, mostly.');
  }
  if (status !== 200) {
    return fail(CHECK, `${place} answers GET /models with ${status}`, 'Try again; ask the provider if it stays so.');
  }
  try {
    const { models, next } = parseCatalog(body);
    const more = next === null ? '' : ' and more';
    return ok(CHECK, `${place} answers, and lists ${models.length} model(s)${more}`);
  } catch (error) {
    const advice =
      'See whether the account has models, and whether GW_UPSTREAM_BASE_URL is the API and not a web page.';
    return fail(CHECK, `the list of models of ${place} is of no use: ${reasonOf(error)}`, advice);
  }
}

/** The cause says what the public text must not; it holds an address or a system's code, no credential. */
function reasonOf(error: unknown): string {
  const inner = error instanceof GatewayError && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message || (inner as NodeJS.ErrnoException).code || inner.name;
}
