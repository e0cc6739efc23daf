import type { Config } from '../platform/config/config.js';
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
 * Reports that the gateway listens. In production it logs one line. Otherwise it prints the addresses, the files with the secrets, and
 * a first request to copy. It never prints a secret: the `curl` command reads the admin key from its file (D24).
 */
export function announceListening(listening: Listening, given: Config, secrets: DevelopmentSecrets | null): void {
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
    `Database      ${given.databaseUrl === null ? `embedded, in ${given.dataDir}` : `from ${given.databaseVariable}`}`,
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
