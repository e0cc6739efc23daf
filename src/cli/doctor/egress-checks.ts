import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Config } from '../../platform/config/config.js';
import { certificatesIn } from '../../platform/config/tls-files.rules.js';
import type { UpstreamSpec } from '../../platform/config/upstreams/upstreams-file.js';
import { proxyFor, type EgressProxy, placeOf } from '../../platform/egress/egress-proxy.js';
import { openFilesLimit, openFilesNeeded, openFilesProblem } from '../../start/open-file-limit.js';
import { checkEach } from '../concurrent-checks.js';
import { fail, checked, ok, warn, type Finding } from './finding.js';

const PROXY_CHECK = 'egress_proxy';
const CERTIFICATE_CHECK = 'upstream_certificates';
const OPEN_FILES_CHECK = 'open_files';
const CONNECT_TIMEOUT_MS = 3000;
const EXPIRY_WARNING_DAYS = 14;
const DAY_MS = 86_400_000;

/** Returns one finding for the single account, or one for each upstream of `GW_UPSTREAMS` that might need a proxy. */
export function checkEgressProxies(config: Config): Promise<Finding[]> {
  const { egressProxy, httpsProxy, httpProxy } = config;
  const general = [egressProxy, httpsProxy, httpProxy].some((proxy) => proxy !== null);
  const specs = (config.upstreams?.file.upstreams ?? []).filter(({ proxy }) => general || proxy !== null);
  const single = [config.upstreamBaseUrl, config.upstreamMessagesBaseUrl, config.otlpEndpoint]
    .filter((url) => url !== null)
    .map((url) => targetOf(config, new URL(url)));
  const groups = specs.map((spec) => ({ title: `${spec.name}: `, targets: [targetOfSpec(config, spec)] }));
  if (!general && groups.length === 0) return Promise.resolve([ok(PROXY_CHECK, 'no proxy is set')]);
  if (single.length > 0 || groups.length === 0) groups.unshift({ title: '', targets: single });
  return checkEach(groups, ({ title, targets }) => checkTargets(title, targets));
}

interface ProxyTarget {
  readonly host: string;
  readonly proxy: EgressProxy | null;
  readonly setting: string;
}

function targetOf(config: Config, url: URL): ProxyTarget {
  const proxy = proxyFor(config, url);
  return { host: url.host, proxy, setting: proxy?.setting ?? '' };
}

function targetOfSpec(config: Config, { baseUrl, proxy }: UpstreamSpec): ProxyTarget {
  if (proxy === null) return targetOf(config, baseUrl);
  return { ...targetOf(config.with({ egressProxy: proxy }), baseUrl), setting: 'proxy in the GW_UPSTREAMS file' };
}

/** Names each proxy by host and port, because its URL can contain a credential. */
async function checkTargets(title: string, targets: readonly ProxyTarget[]): Promise<Finding> {
  for (const { proxy, setting } of targets) {
    const problem = proxy === null ? null : await connectProblem(proxy);
    if (proxy === null || problem === null) continue;
    const message = `${title}${placeOf(proxy)} of ${setting} cannot be reached: ${problem}`;
    return fail(PROXY_CHECK, message, `Fix ${setting}, or add hosts that need no proxy to NO_PROXY.`);
  }
  const words = targets.map(({ host, proxy, setting }) => {
    return `${host} ${proxy === null ? 'directly' : `through ${placeOf(proxy)} (${setting})`}`;
  });
  return ok(PROXY_CHECK, `${title}connects to ${[...new Set(words)].join(', ') || 'webhooks only'}`);
}

async function connectProblem({ host, port }: EgressProxy): Promise<string | null> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).name === 'AbortError'
      ? 'the connection timed out'
      : ((error as NodeJS.ErrnoException).code ?? String(error));
  } finally {
    socket.destroy();
  }
}

/** Returns one finding for the single account, or one for each upstream of `GW_UPSTREAMS` with certificate files. */
export function checkUpstreamCertificates(config: Config): Promise<Finding[]> {
  const single = [
    config.upstreamCaFile,
    config.upstreamClientCertFile,
    config.upstreamMessagesCaFile,
    config.upstreamMessagesClientCertFile,
  ];
  const ofUpstreams = (config.upstreams?.file.upstreams ?? []).map(({ name, tls: { ca, certificate } }) => {
    return { title: `${name}: `, files: [ca, certificate] };
  });
  const groups = [{ title: '', files: single }, ...ofUpstreams]
    .map(({ title, files }) => ({ title, files: files.filter((path) => path !== null) }))
    .filter(({ files }) => files.length > 0);
  if (groups.length === 0) return Promise.resolve([ok(CERTIFICATE_CHECK, 'no custom certificates are set')]);
  return Promise.all(groups.map(({ title, files }) => checkCertificates(title, files)));
}

/** The settings check has already read these files. */
function checkCertificates(title: string, files: readonly string[]): Promise<Finding> {
  return checked(CERTIFICATE_CHECK, 'Make the certificate files readable.', async () => {
    const expiries = files.map((path) => ({ path, daysLeft: daysLeftOf(certificatesIn(readFileSync(path, 'utf8'))) }));
    const { path, daysLeft } = expiries.toSorted((a, b) => a.daysLeft - b.daysLeft)[0]!;
    const advice = 'Replace the file. The gateway reads it again for new connections.';
    if (daysLeft < 0) return fail(CERTIFICATE_CHECK, `${title}a certificate in ${path} has expired`, advice);
    const message = `${title}a certificate in ${path} expires in less than ${Math.floor(daysLeft) + 1} days`;
    return daysLeft < EXPIRY_WARNING_DAYS ? warn(CERTIFICATE_CHECK, message, advice) : ok(CERTIFICATE_CHECK, message);
  });
}

const daysLeftOf = (certificates: readonly X509Certificate[]): number =>
  Math.min(...certificates.map(({ validToDate }) => (validToDate.getTime() - Date.now()) / DAY_MS));

export function checkOpenFiles(config: Config): Finding {
  const limit = openFilesLimit();
  if (limit === null) return ok(OPEN_FILES_CHECK, 'the limit of this system is unknown');
  const tooLow = openFilesProblem(config, limit);
  if (tooLow !== null) return warn(OPEN_FILES_CHECK, tooLow.problem, tooLow.advice);
  return ok(OPEN_FILES_CHECK, `a process can open ${limit} files and needs up to ${openFilesNeeded(config)}`);
}
