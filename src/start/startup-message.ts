import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { type Config, ConfigError } from '../config/config.js';
import type { DevelopmentSecrets } from './development-secrets.js';

interface Listening {
  readonly url: string;
  readonly metricsUrl: string | null;
}

const INFO = 30;

const PROFILES: Readonly<Record<Config['profile'], string>> = {
  specification: 'specification (set GW_PROFILE=current for coding agents and current SDKs)',
  current: 'current (follows the current APIs of OpenAI and Anthropic)',
};

/**
 * Logs one line in production. Otherwise prints the addresses, the files with the secrets, and a first request to copy. Never
 * prints a secret: the `curl` command reads the admin key from its file (D24).
 */
export function announce(listening: Listening, given: Config, secrets: DevelopmentSecrets | null): void {
  if (!given.production) return showOnTerminal(listening, given, secrets);
  if (!['trace', 'debug', 'info'].includes(given.logLevel)) return;
  const { url, metricsUrl } = listening;
  const fields = { level: INFO, time: new Date().toISOString(), context: 'Start', url, metrics_url: metricsUrl };
  const { profile } = given;
  process.stdout.write(`${JSON.stringify({ ...fields, profile, msg: 'Listening' })}\n`);
}

function showOnTerminal({ url, metricsUrl }: Listening, given: Config, secrets: DevelopmentSecrets | null): void {
  const base = url.replace(/\/$/, '');
  const lines = [
    `Gateway       ${base}/v1`,
    `Dashboard     ${base}/dashboard/`,
    `API           ${base}/openapi.json${given.docs ? `, Swagger UI at ${base}/docs` : ''}`,
    `Health        ${base}/health/ready`,
    `Profile       ${PROFILES[given.profile]}`,
    ...(metricsUrl === null ? [] : [`Metrics       ${metricsUrl}`]),
    ...(secrets === null ? [] : developmentLines(base, given, secrets)),
  ];
  process.stdout.write(`\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`);
}

function developmentLines(base: string, given: Config, { files, ownerEmail }: DevelopmentSecrets): string[] {
  const lines = [
    `Provider      ${providerOf(given)}`,
    `Database      ${given.databaseUrl === null ? `embedded, in ${given.dataDir}` : 'from DATABASE_URL'}`,
  ];
  const { adminKey, ownerPassword } = files;
  if (ownerPassword !== null)
    lines.push(
      `Owner         ${ownerEmail}, initial password in ${ownerPassword} (unless the database already had operators)`,
    );
  else if (given.ownerEmail === '') lines.push(`Owner         ${ownerEmail}, initial password from GW_OWNER_PASSWORD`);
  if (adminKey === null) return lines;
  return [
    ...lines,
    `Admin key     in ${adminKey}`,
    '',
    'First request: create an API key, then use it for a chat completion.',
    '',
    ...firstRequest(base, adminKey),
  ];
}

function providerOf({ upstreamBaseUrl, upstreams }: Config): string {
  if (upstreams === null) return upstreamBaseUrl ?? 'sandbox (simulated responses, no account needed)';
  return `${upstreams.file.upstreams.map(({ name }) => name).join(', ')} (from ${upstreams.path})`;
}

function firstRequest(base: string, adminKeyFile: string): string[] {
  return [
    `KEY=$(curl -s ${base}/admin/api-keys -H "Authorization: Bearer $(cat '${adminKeyFile}')" -H 'Content-Type: application/json' \\`,
    `  -d '{"name": "first"}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/'); curl -s ${base}/v1/chat/completions -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Content-Type: application/json' -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello!"}]}'`,
  ];
}

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

/** Must run first: a gateway whose port is in use would otherwise already run jobs and create the first owner. @throws ConfigError */
export async function refuseTakenAddresses(config: Config): Promise<void> {
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
