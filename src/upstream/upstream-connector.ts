import { readFileSync, statSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { buildConnector } from 'undici';
import type { Config } from '../platform/config/config.js';
import { fileStamp } from '../platform/config/upstreams/file-access.js';
import { belongTogether, certificatesIn } from '../platform/config/tls-files.rules.js';
import { proxyFor, type EgressProxy, targetOf } from '../platform/egress/egress-proxy.js';
import { openTunnel } from '../platform/egress/proxy-tunnel.js';
import type { Api, TlsFiles } from '../platform/config/upstreams/upstreams-file.js';

/** The files of the single account. `anthropic`: those of its messages endpoint. */
export const tlsFilesOf = (config: Config, api: Api): TlsFiles =>
  api === 'anthropic'
    ? {
        ca: config.upstreamMessagesCaFile,
        certificate: config.upstreamMessagesClientCertFile,
        key: config.upstreamMessagesClientKeyFile,
      }
    : { ca: config.upstreamCaFile, certificate: config.upstreamClientCertFile, key: config.upstreamClientKeyFile };

export const hasTlsFiles = ({ ca, certificate, key }: TlsFiles): boolean =>
  ca !== null || certificate !== null || key !== null;

/**
 * Returns how connections to one origin are opened: directly, or through the egress proxy, and with which certificates. Its
 * timeout ensures that a stuck attempt releases its permit. Through a proxy, the tunnel and TLS each have this timeout.
 */
export function upstreamConnector(config: Config, url: URL, files: TlsFiles): buildConnector.connector {
  const timeoutMs = config.upstreamConnectTimeoutMs;
  const direct = hasTlsFiles(files) ? fileConnector(files, timeoutMs) : plainConnector(timeoutMs);
  const proxy = proxyFor(config, url);
  return proxy === null ? direct : throughProxy(proxy, direct, timeoutMs);
}

/** One connector for all connections, so that they share TLS sessions. */
const plainConnector = (timeout: number, tls: object = {}): buildConnector.connector =>
  buildConnector({ allowH2: false, timeout, ...tls });

function throughProxy(
  proxy: EgressProxy,
  connect: buildConnector.connector,
  timeoutMs: number,
): buildConnector.connector {
  return (options, callback) => {
    openTunnel(proxy, targetOf(options), timeoutMs).opened.then(
      (socket) => {
        if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

const CHECK_INTERVAL_MS = 2000;

/**
 * Reads the files again when they have changed, at most every 2 s, before it opens a connection. Unusable files are logged, and
 * the previous ones stay in use. Existing connections keep their certificate.
 */
function fileConnector(files: TlsFiles, timeoutMs: number): buildConnector.connector {
  const logger = new Logger('Upstream');
  const paths = Object.values(files).filter((path): path is string => path !== null);
  let stamp = stampOf(paths);
  let checkedAtMs = performance.now();
  // The start has already checked these files.
  let connect = plainConnector(timeoutMs, contentsOf(files));
  return (options, callback) => {
    const nowMs = performance.now();
    if (nowMs - checkedAtMs >= CHECK_INTERVAL_MS) {
      checkedAtMs = nowMs;
      try {
        const newStamp = stampOf(paths);
        if (newStamp !== stamp) {
          stamp = newStamp;
          connect = plainConnector(timeoutMs, checked(contentsOf(files)));
          logger.log(`New certificates are in use: ${paths.join(', ')}`);
        }
      } catch (error) {
        logger.error(
          `The gateway keeps the current certificates, because the new files are unusable: ${(error as Error).message}`,
        );
      }
    }
    connect(options, callback);
  };
}

interface Contents {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

function contentsOf({ ca, certificate, key }: TlsFiles): Contents {
  return {
    ...(ca === null ? {} : { ca: readFileSync(ca) }),
    ...(certificate === null ? {} : { cert: readFileSync(certificate) }),
    ...(key === null ? {} : { key: readFileSync(key) }),
  };
}

/** @throws Error if the files are unusable */
function checked(contents: Contents): Contents {
  const { ca, cert, key } = contents;
  if (ca !== undefined) certificatesIn(ca.toString());
  if (cert !== undefined && key !== undefined && !belongTogether(cert, key))
    throw new Error('the private key does not belong to the certificate');
  return contents;
}

/** A text that changes with any of the files. */
function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? 'missing' : fileStamp(stat);
    })
    .join();
}
