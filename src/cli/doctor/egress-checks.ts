import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Config } from '../../config/config.js';
import { certificatesIn } from '../../config/tls-files.rules.js';
import { proxyFor, type EgressProxy } from '../../egress/egress-proxy.js';
import { placeOf } from '../../egress/target.js';
import { openFilesLimit, openFilesNeeded, openFilesWarning } from '../../start/open-files.js';
import { fail, looked, ok, warn, type Finding } from './finding.js';

const CONNECT_TIMEOUT_MS = 3000;
const EXPIRY_WARNING_DAYS = 14;
const DAY_MS = 86_400_000;

/** Names each proxy by host and port, because its URL can contain a credential. */
export async function checkEgressProxy(config: Config): Promise<Finding> {
  const name = 'egress_proxy';
  const targets = [config.upstreamBaseUrl, config.upstreamMessagesBaseUrl, config.otlpEndpoint]
    .filter((url) => url !== null)
    .map((url) => new URL(url))
    .map((url) => ({ host: url.host, proxy: proxyFor(config, url) }));
  if (config.egressProxy === null && config.httpsProxy === null && config.httpProxy === null)
    return ok(name, 'no proxy is set');
  const used = targets.flatMap(({ host, proxy }) => (proxy === null ? [] : [{ host, proxy }]));
  for (const { proxy } of used) {
    const problem = await connectProblem(proxy);
    if (problem !== null)
      return fail(
        name,
        `${placeOf(proxy)} of ${proxy.setting} cannot be reached: ${problem}`,
        `Fix ${proxy.setting}, or add hosts that need no proxy to NO_PROXY.`,
      );
  }
  const words = targets.map(
    ({ host, proxy }) => `${host} ${proxy === null ? 'directly' : `through ${placeOf(proxy)} (${proxy.setting})`}`,
  );
  return ok(name, `connects to ${[...new Set(words)].join(', ') || 'webhooks only'}`);
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

/** The settings check has already read these files. */
export function checkUpstreamCertificates(config: Config): Promise<Finding> {
  const name = 'upstream_certificates';
  return looked(name, 'Make the certificate files readable.', async () => {
    const files = [
      ...[config.upstreamCaFile, config.upstreamClientCertFile],
      ...[config.upstreamMessagesCaFile, config.upstreamMessagesClientCertFile],
    ].filter((path) => path !== null);
    if (files.length === 0) return ok(name, 'no custom certificates are set');
    const expiries = files.map((path) => ({ path, daysLeft: daysLeftOf(certificatesIn(readFileSync(path, 'utf8'))) }));
    const { path, daysLeft } = expiries.toSorted((a, b) => a.daysLeft - b.daysLeft)[0]!;
    const advice = 'Replace the file. The gateway reads it again for new connections.';
    if (daysLeft < 0) return fail(name, `a certificate in ${path} has expired`, advice);
    const message = `a certificate in ${path} expires in less than ${Math.floor(daysLeft) + 1} days`;
    return daysLeft < EXPIRY_WARNING_DAYS ? warn(name, message, advice) : ok(name, message);
  });
}

const daysLeftOf = (certificates: readonly X509Certificate[]): number =>
  Math.min(...certificates.map(({ validToDate }) => (validToDate.getTime() - Date.now()) / DAY_MS));

export function checkOpenFiles(config: Config): Finding {
  const [name, limit] = ['open_files', openFilesLimit()];
  if (limit === null) return ok(name, 'the limit of this system is unknown');
  const warning = openFilesWarning(config, limit);
  if (warning === null) return ok(name, `a process can open ${limit} files and needs up to ${openFilesNeeded(config)}`);
  const [message, ...advice] = warning.split('. ');
  return warn(name, message!, advice.join('. '));
}
