import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { ConfigError, type Config } from '../platform/config/config.js';

interface Address {
  readonly host: string;
  readonly port: number;
  readonly hostSetting: string;
  readonly portSetting: string;
}

const publicAddress = ({ host, port }: Config): Address => ({ host, port, hostSetting: 'HOST', portSetting: 'PORT' });

const metricsAddress = ({ metricsHost: host, metricsPort }: Config): Address => ({
  host,
  port: metricsPort ?? 0,
  hostSetting: 'GW_METRICS_HOST',
  portSetting: 'GW_METRICS_PORT',
});

/**
 * Runs before startup. Otherwise, a gateway whose port is in use would run jobs and create the first owner before it fails.
 * @throws ConfigError
 */
export async function requireFreeAddresses(config: Config): Promise<void> {
  const { port, metricsPort } = config;
  if (port !== 0 && port === metricsPort)
    throw new ConfigError(`PORT and GW_METRICS_PORT are both ${port}. Set them to different ports.`);
  const addresses = [publicAddress(config), ...(metricsPort === null ? [] : [metricsAddress(config)])];
  for (const address of addresses) {
    const error = await listeningError(address.host, address.port);
    if (error !== null) throw settingError(error, address);
  }
}

/** Returns a ConfigError if the host or port setting caused a listener's error, and otherwise the error itself. */
export const publicError = (error: unknown, config: Config): unknown => settingError(error, publicAddress(config));
export const metricsError = (error: unknown, config: Config): unknown => settingError(error, metricsAddress(config));

function settingError(error: unknown, { host, port, hostSetting, portSetting }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code ?? '') {
    case 'EADDRINUSE':
      return new ConfigError(
        `${portSetting} ${port} is already in use on ${host}. Stop the program that uses it, or set another ${portSetting}.`,
      );
    case 'EACCES':
      return new ConfigError(`${portSetting} ${port} is not permitted for this user. Use a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `${hostSetting} ${host} is not an address of this machine. Use one of its addresses, or 0.0.0.0 for all of them.`,
      );
    default:
      return error;
  }
}

/** Returns the URL of a listener for a client on this machine. A client cannot connect to `0.0.0.0` or `::` everywhere. */
export function urlOf(host: string, port: number): string {
  if (isIP(host) === 0) return `http://${host}:${port}`;
  // Node also accepts IPv4 connections on `::`, even if the machine has no IPv6 loopback address.
  const local = isUnspecified(host) ? '127.0.0.1' : host;
  return `http://${isIP(local) === 6 ? `[${local}]` : local}:${port}`;
}

const isUnspecified = (address: string): boolean => /^[0.:]+$/.test(address);

/** Returns null if the address is available. */
export async function listeningError(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
