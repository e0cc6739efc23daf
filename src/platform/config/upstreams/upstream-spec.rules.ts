import { createPrivateKey } from 'node:crypto';
import { OFF, proxyUrlOrOff } from '../egress-proxy.kinds.js';
import { secretTexts } from '../secret-texts.rules.js';
import { httpUrl } from '../setting-kinds.js';
import { attempt, belongTogether, certificateFile, certificatesIn, privateKeyFile } from '../tls-files.rules.js';
import type { FileFindings, SecretReference } from './file-findings.js';
import {
  FAILOVER_STATUSES,
  FROM_CATALOG,
  type Api,
  type CredentialHeader,
  type TlsFiles,
  type UpstreamSpec,
} from './upstreams-file.js';
import { resolved } from './file-access.js';
import type { Path } from './yaml-document.rules.js';

/** An entry of `upstreams` that matches the schema. */
export interface UpstreamEntry {
  readonly name: string;
  readonly base_url: string;
  readonly apis?: readonly Api[];
  readonly completions?: NonNullable<UpstreamSpec['completions']>;
  readonly credential?: SecretReference & { readonly header?: CredentialHeader };
  readonly headers?: Readonly<Record<string, string | SecretReference>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly proxy?: string;
  readonly tls?: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
  readonly timeouts?: { readonly connect_ms?: number; readonly head_ms?: number; readonly idle_ms?: number };
  readonly connections?: number;
  readonly models?: typeof FROM_CATALOG | readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
  readonly region?: string;
  readonly tags?: readonly string[];
  readonly repeat_sent?: boolean;
  readonly failover_statuses?: readonly number[];
}

/** Metrics use these names for the account of `GW_UPSTREAM_BASE_URL`. */
const RESERVED_NAMES: readonly string[] = ['default', 'messages'];

/** Checks what the schema cannot express, and resolves secrets. Returns null after a problem. */
export function upstreamSpec(entry: UpstreamEntry, at: Path, findings: FileFindings): UpstreamSpec | null {
  const [problemsBefore, mark] = [findings.problems.length, findings.mark];
  const { name, timeouts = {}, models = FROM_CATALOG, aliases = {} } = entry;
  if (RESERVED_NAMES.includes(name))
    findings.report([...at, 'name'], 'is reserved for metrics of a gateway with one account. Choose another name.');
  checkModels(models, aliases, at, findings);
  const spec = {
    name,
    baseUrl: baseUrlOf(entry.base_url, [...at, 'base_url'], findings),
    apis: entry.apis ?? (['openai'] as const),
    completions: entry.completions ?? null,
    credential: credentialOf(entry.credential, [...at, 'credential'], findings),
    headers: headersOf(entry.headers ?? {}, [...at, 'headers'], findings),
    query: queryOf(entry.query ?? {}),
    proxy: proxyOf(entry.proxy, [...at, 'proxy'], findings),
    tls: tlsOf(entry.tls ?? {}, [...at, 'tls'], findings),
    connectMs: timeouts.connect_ms ?? null,
    headMs: timeouts.head_ms ?? null,
    idleMs: timeouts.idle_ms ?? null,
    connections: entry.connections ?? null,
    models,
    aliases: new Map(Object.entries(aliases)),
    region: entry.region ?? null,
    tags: entry.tags ?? [],
    repeatSent: entry.repeat_sent ?? false,
    failoverStatuses: entry.failover_statuses ?? FAILOVER_STATUSES,
    digest: findings.digest(JSON.stringify(entry), mark),
  };
  return findings.problems.length > problemsBefore ? null : (spec as UpstreamSpec);
}

function checkModels(
  models: typeof FROM_CATALOG | readonly string[],
  aliases: Readonly<Record<string, string>>,
  at: Path,
  findings: FileFindings,
): void {
  const names = Object.keys(aliases);
  if (models.length === 0 && names.length === 0)
    findings.report([...at, 'models'], 'is empty, and there are no aliases. Add a model or an alias.');
  for (const [alias, target] of Object.entries(aliases)) {
    const place = [...at, 'aliases', alias];
    if (target === alias) findings.report(place, 'points to itself. Remove it, or use the ID of another model.');
    else if (Object.hasOwn(aliases, target))
      findings.report(place, 'points to another alias of this upstream. Use the ID of the model.');
  }
}

function baseUrlOf(text: string, at: Path, findings: FileFindings): URL | null {
  const valid = httpUrl().parse(text);
  if (valid !== undefined) return new URL(valid);
  findings.report(at, `must be ${httpUrl().allowed}. Write for example https://api.openai.com/v1.`);
  return null;
}

function credentialOf(reference: UpstreamEntry['credential'], at: Path, findings: FileFindings) {
  if (reference === undefined) return null;
  const value = findings.secret(at, reference);
  if (value === null) return null;
  if (!/^[\x21-\x7e]+$/.test(value))
    findings.report(at, 'has a secret with characters that are not allowed. Use printable ASCII without spaces.');
  return { value, header: reference.header ?? null };
}

const CREDENTIAL_NAMES = new Set(['authorization', 'x-api-key', 'api-key', 'proxy-authorization']);

/** The gateway sets these for each request, or they would break its framing (`upstream/request-headers.ts`). */
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'idempotency-key',
  'traceparent',
  'tracestate',
]);

function headersOf(
  headers: Readonly<Record<string, string | SecretReference>>,
  at: Path,
  findings: FileFindings,
): string[] {
  const flat: string[] = [];
  const names = new Set<string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    const place = [...at, given];
    if (CREDENTIAL_NAMES.has(name)) findings.report(place, 'is a header for secrets. Use credential.', 'key');
    else if (RESERVED_HEADERS.has(name))
      findings.report(place, 'is a header that the gateway sets for each request. Remove it.', 'key');
    else if (names.has(name))
      findings.report(place, 'is the same header as another one in different letter case. Remove one of them.', 'key');
    names.add(name);
    const text = typeof value === 'string' ? value : findings.secret(place, value);
    if (text === null) continue;
    if (!HEADER_VALUE.test(text))
      findings.report(place, 'has a secret with characters that headers cannot contain. Remove line breaks.');
    flat.push(name, text);
  }
  return flat;
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

function proxyOf(text: string | undefined, at: Path, findings: FileFindings): string | null {
  if (text === undefined) return null;
  const proxy = proxyUrlOrOff().parse(text);
  if (proxy === undefined) {
    findings.report(at, `must be ${proxyUrlOrOff().allowed}. Write for example http://proxy.example:3128.`);
    return null;
  }
  if (proxy !== OFF) for (const secret of secretTexts(proxy)) findings.addSecret(at, secret);
  return proxy;
}

function tlsOf(tls: NonNullable<UpstreamEntry['tls']>, at: Path, findings: FileFindings): TlsFiles {
  const read = (field: 'ca' | 'certificate' | 'key') => {
    const path = tls[field];
    if (path === undefined) return null;
    const { allowed } = field === 'key' ? privateKeyFile() : certificateFile();
    const content = findings.pem([...at, field], path, allowed);
    if (content === null) return null;
    if (attempt(() => (field === 'key' ? createPrivateKey(content) : certificatesIn(content.toString()))))
      return content;
    findings.report([...at, field], `names a file that is not usable. Use ${allowed}.`);
    return null;
  };
  read('ca');
  const [certificate, key] = [read('certificate'), read('key')];
  if (certificate !== null && key !== null && attempt(() => belongTogether(certificate, key)) !== true)
    findings.report(
      [...at, 'key'],
      'does not belong to the first certificate of tls.certificate. Use a matching pair.',
    );
  const pathOf = (path: string | undefined) => (path === undefined ? null : resolved(path, findings.sources));
  return { ca: pathOf(tls.ca), certificate: pathOf(tls.certificate), key: pathOf(tls.key) };
}
