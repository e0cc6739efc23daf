import type { Config } from '../../platform/config/config.js';
import { FROM_CATALOG } from '../../platform/config/upstreams/upstreams-file.js';
import { parseCatalog } from '../../model-policy/parse-catalog.js';
import type { BufferedResponse } from '../../upstream/buffered-response.js';
import type { ConfiguredUpstream } from '../../upstream/upstream-list.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { Upstream } from '../../upstream/upstream.js';
import { checkEach } from '../concurrent-checks.js';
import { fail, ok, type Finding } from './finding.js';
import { errorReason } from '../../platform/errors/gateway-error.js';
import { listeningError } from '../../start/addresses.js';

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

/** Reads each model list with the same HTTP client and credential as the gateway. */
export async function checkUpstreams(config: Config): Promise<Finding[]> {
  if (config.upstreams === null && config.upstreamBaseUrl === null)
    return [ok('upstream', 'GW_UPSTREAM_BASE_URL is not set, so the gateway uses the sandbox')];
  const client = new UpstreamClient(config);
  const tested = config.upstreams === null ? [accountOf(client, config)] : client.list.map(testedOf);
  try {
    return await checkEach(tested, (each) => checkModelList(client, each));
  } finally {
    await client.onApplicationShutdown();
  }
}

interface Tested {
  readonly upstream: Upstream;
  readonly place: string;
  /** False if the upstreams file lists the models. */
  readonly needsList: boolean;
  readonly credentialAdvice: string;
  readonly addressSetting: string;
}

const accountOf = (client: UpstreamClient, config: Config): Tested => ({
  upstream: client.all[0]!,
  place: new URL(config.upstreamBaseUrl!).host,
  needsList: true,
  credentialAdvice: 'Fix GW_UPSTREAM_API_KEY.',
  addressSetting: 'GW_UPSTREAM_BASE_URL',
});

const testedOf = ({ upstream, spec: { name, models, credential } }: ConfiguredUpstream): Tested => ({
  upstream,
  place: `${name}: ${upstream.baseUrl.host}`,
  needsList: models === FROM_CATALOG,
  credentialAdvice: `${credential === null ? 'Add a' : 'Fix the'} credential of ${name} in the GW_UPSTREAMS file.`,
  addressSetting: `base_url of ${name}`,
});

async function checkModelList(client: UpstreamClient, tested: Tested): Promise<Finding> {
  const { upstream, place, addressSetting } = tested;
  try {
    const request = { method: 'GET', path: '/models', upstream, bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
    return modelListFinding(await client.fetchSmall(request), tested);
  } catch (error) {
    const advice = `Fix ${addressSetting}, or check whether a proxy or firewall blocks the connection.`;
    return fail('upstream', `${place} cannot be reached: ${errorReason(error)}`, advice);
  }
}

function modelListFinding({ status, body }: BufferedResponse, tested: Tested): Finding {
  const { place, needsList, credentialAdvice, addressSetting } = tested;
  if (status === 401 || status === 403)
    return fail('upstream', `${place} rejects the credential (${status})`, credentialAdvice);
  if (status === 404 && !needsList)
    return ok('upstream', `${place} responds, and the file lists its models because it has no model list (404)`);
  if (status === 404)
    return fail(
      'upstream',
      `${place} has no model list (404)`,
      `Check the path of ${addressSetting}. Most providers need it to end with /v1.`,
    );
  if (status !== 200)
    return fail(
      'upstream',
      `${place} responds to GET /models with ${status}`,
      'Try again. If the error persists, contact the provider.',
    );
  if (!needsList) return ok('upstream', `${place} accepts the credential, and the file lists its models`);
  return listFinding(body, tested);
}

function listFinding(body: Buffer, { place, addressSetting }: Tested): Finding {
  try {
    const { models, next } = parseCatalog(body);
    const more = next === null ? '' : ' on its first page';
    return ok('upstream', `${place} lists ${models.length} ${models.length === 1 ? 'model' : 'models'}${more}`);
  } catch (error) {
    const advice = `Check that the account has models, and that ${addressSetting} is the address of the API, not of a web page.`;
    return fail('upstream', `${place} returned an unusable model list: ${errorReason(error)}`, advice);
  }
}
