import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError, type Config } from '../config/config.js';

/** Where something listens, by the settings that say so. */
interface Address {
  readonly host: string;
  readonly port: number;
  readonly hostSetting: string;
  readonly portSetting: string;
}

const publicAddress = ({ host, port }: Config): Address => ({ host, port, hostSetting: 'HOST', portSetting: 'PORT' });

const metricsAddress = ({ metricsHost: host, metricsPort }: Config): Address => ({
  ...{ host, port: metricsPort ?? 0, hostSetting: 'GW_METRICS_HOST', portSetting: 'GW_METRICS_PORT' },
});

/**
 * Before anything is put to work: a start that finds its port taken at its end has begun jobs and made an owner.
 * @throws ConfigError where a host and port cannot be had
 */
export async function refuseTakenAddresses(config: Config): Promise<void> {
  const { port, metricsPort } = config;
  if (port !== 0 && port === metricsPort)
    throw new ConfigError(`PORT and GW_METRICS_PORT are both ${port}: the metrics need a port of their own`);
  const addresses = [publicAddress(config), ...(metricsPort === null ? [] : [metricsAddress(config)])];
  for (const address of addresses) {
    const error = await listeningError(address.host, address.port);
    if (error !== null) throw told(error, address);
  }
}

/** What a listener's error says of the settings, where it does. */
export const publicError = (error: unknown, config: Config): unknown => told(error, publicAddress(config));
export const metricsError = (error: unknown, config: Config): unknown => told(error, metricsAddress(config));

function told(error: unknown, { host, port, hostSetting, portSetting }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code ?? '') {
    case 'EADDRINUSE':
      return new ConfigError(
        `${portSetting} ${port} is taken on ${host}: stop what uses it, or set another ${portSetting}`,
      );
    case 'EACCES':
      return new ConfigError(`${portSetting} ${port} is not for this user: set one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`${hostSetting} ${host} is not an address of this machine`);
    default:
      return error;
  }
}

/** What keeps a listener from a host and port; null: nothing does. */
export async function listeningError(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    // For the next listener of this place, and without effect on one that never listened.
    await new Promise((resolve) => server.close(resolve));
  }
}
