import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { CompletionConverter } from '../../../src/proxy/completions/completion-emulation.service.js';
import { formatOf } from '../../../src/proxy/metering/response-format.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import * as messages from '../../support/message-responses.js';
import * as responses from '../../support/responses-api-responses.js';
import { chatCompletion, chatStream, MODEL_LIST } from '../../support/scripted-upstream-responses.js';
import type { ClientView } from '../../support/scripted-client.js';
import type { ScriptedRequest, ScriptedResponse } from '../../support/scripted-exchange.js';
import { redactCredentials } from '../../../src/proxy/redaction/redact-credentials.js';
import { redactJson } from '../../../src/proxy/redaction/redact-json.js';
import type { Dice } from '../../fuzz/dice.js';
import { must } from '../../fuzz/fuzz.js';
import { hostileJson, OTHER, SECRET } from './hostile-json.js';
import { mutateText } from '../../fuzz/mutate.js';

interface Route {
  readonly endpoint: string;
  readonly usage: GatewayRouteSpec['usage'];
  readonly body: unknown;
  readonly stream: string;
  readonly converts?: true;
  readonly isFile?: true;
}

const chat = {
  usage: 'chat',
  body: chatCompletion('gpt-4o-mini'),
  stream: chatStream('gpt-4o-mini', true).join(''),
} as const;
const ROUTES: readonly Route[] = [
  { endpoint: '/v1/chat/completions', ...chat },
  { endpoint: '/v1/completions', ...chat, usage: 'completions', converts: true },
  { endpoint: '/v1/messages', usage: 'messages', body: messages.TOOL_RESPONSE, stream: messages.TOOL_STREAM },
  { endpoint: '/v1/responses', usage: 'responses', body: responses.RESPONSE, stream: responses.STREAM },
  {
    endpoint: '/v1/embeddings',
    usage: 'embeddings',
    stream: '',
    body: { object: 'list', data: [{ index: 0, embedding: [0.5, -1e-3] }], model: 'e', usage: { prompt_tokens: 1 } },
  },
  {
    endpoint: '/v1/images/generations',
    usage: 'media',
    stream: '',
    body: { created: 1, size: '1x1', quality: 'low', data: [{ b64_json: 'AAAA' }], usage: { input_tokens: 1 } },
  },
  // Object lists.
  {
    endpoint: '/v1/files',
    usage: null,
    body: { object: 'list', data: [{ id: 'file-1', object: 'file' }] },
    stream: '',
  },
  { endpoint: '/v1/threads/{thread_id}/messages', usage: null, body: MODEL_LIST, stream: chat.stream },
  { endpoint: '/v1/files/{file_id}/content', usage: null, body: { error: 'x' }, stream: '', isFile: true },
];

const ERRORS: readonly unknown[] = [
  { error: { message: 'wrong key', type: 'x', code: 'y', param: null } },
  { message: 'no', detail: [{ msg: 'x', loc: ['body', 1] }] },
  { detail: 'x', errors: [{ message: 'y' }] },
  [{ error: { message: 'x' } }],
  { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
];

const STATUSES = [
  ...new Array<number>(10).fill(200),
  201,
  204,
  206,
  299,
  300,
  304,
  400,
  400,
  401,
  404,
  409,
  413,
  422,
  429,
  500,
  503,
  529,
  599,
  600,
  999,
];
const TYPES = ['application/json', 'text/event-stream', 'application/x-ndjson', 'text/plain', 'audio/mpeg', ''];

const SECRET_IN_JSON = SECRET.replace('/', '\\/');

export interface HostileCase {
  readonly current: boolean;
  readonly relay: boolean;
  readonly routed: boolean;
  readonly endpoint: string;
  readonly method: string;
  readonly asksForStream: boolean;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** One character per byte. */
  readonly body: string;
  readonly cuts: readonly number[];
  readonly encoding: 'gzip' | 'broken' | null;
  readonly ending: ScriptedResponse['ending'];
  readonly hasCredential: boolean;
}

export function hostileCase(dice: Dice): HostileCase {
  const route = dice.pick(ROUTES);
  const status = dice.pick(STATUSES);
  const streams = route.stream !== '' && dice.oneIn(2);
  const { text: body, hasCredential } = bodyOf(dice, route, status, streams);
  const encoding = dice.oneIn(60) ? dice.pick(['gzip', 'broken'] as const) : null;
  const type = dice.oneIn(8) ? dice.pick(TYPES) : streams ? 'text/event-stream' : 'application/json';
  const cuts = Array.from({ length: dice.oneIn(3) ? dice.int(6) : 0 }, () => dice.int(body.length + 1));
  return {
    current: dice.oneIn(2),
    relay: dice.oneIn(2),
    routed: dice.oneIn(4),
    endpoint: route.endpoint,
    status,
    body,
    method: dice.oneIn(40) ? 'HEAD' : 'POST',
    asksForStream: dice.oneIn(10) ? !streams : streams,
    encoding,
    headers: headersOf(dice, { type, length: encoding === null ? body.length : null, encoding }),
    cuts: cuts.sort((a, b) => a - b),
    ending: encoding === null ? dice.pick(['end', 'end', 'end', 'end', 'reset', 'hold'] as const) : 'end',
    hasCredential,
  };
}

function bodyOf(dice: Dice, route: Route, status: number, streams: boolean) {
  if (status >= 300) return hostileJson(dice, dice.pick(ERRORS));
  if (!streams) return hostileJson(dice, dice.oneIn(6) ? dice.pick(ERRORS) : route.body);
  const events = route.stream.split('\n\n').map((event) => hostileEvent(dice, event));
  if (dice.oneIn(4)) events.splice(dice.int(events.length + 1), 0, errorEvent(dice));
  const end = dice.pick(['\n\n', '\n\n', '\n\n', '\r\n\r\n', '\n', '\r\r']);
  return { text: events.map(({ text }) => text).join(end), hasCredential: events.some((event) => event.hasCredential) };
}

/** Changes one of ten events. */
function hostileEvent(dice: Dice, event: string) {
  const at = event.indexOf('data: {');
  if (at === -1 || !dice.oneIn(10)) return { text: Buffer.from(event).toString('latin1'), hasCredential: false };
  const data = hostileJson(dice, JSON.parse(event.slice(at + 'data: '.length)));
  return { ...data, text: `${event.slice(0, at)}data: ${data.text}` };
}

function errorEvent(dice: Dice) {
  const data = hostileJson(dice, dice.pick(ERRORS));
  return {
    ...data,
    text: `${dice.pick(['', 'event: error\n', 'event:error\r\n'])}data:${dice.pick(['', ' '])}${data.text}`,
  };
}

const NAMES = [
  'x-request-id',
  'retry-after',
  'request-id',
  'openai-model',
  'retry-after-ms',
  'x-should-retry',
  'cache-control',
  'x-ratelimit-remaining-tokens',
  'set-cookie',
  'x-gw-model',
  'content-disposition',
  '__proto__',
  'constructor',
  'toString',
];

function headersOf(
  dice: Dice,
  { type, length, encoding }: { type: string; length: number | null; encoding: HostileCase['encoding'] },
) {
  const headers: Record<string, string | string[]> = {};
  if (type !== '') headers['content-type'] = dice.oneIn(20) ? mutateText(dice, type) : type;
  if (encoding !== null) headers['content-encoding'] = dice.oneIn(4) ? 'br' : 'gzip';
  else if (length !== null && dice.oneIn(2)) headers['content-length'] = String(length);
  else if (dice.oneIn(2)) headers['transfer-encoding'] = 'chunked';
  for (let count = dice.oneIn(3) ? 1 + dice.int(4) : 0; count > 0; count--) {
    const value = dice.pick([
      mutateText(dice, '7'),
      `x${SECRET}`,
      `Bearer ${SECRET}`,
      OTHER,
      '\xff\xfe',
      '9'.repeat(400),
      '',
    ]);
    set(headers, dice.pick(NAMES), dice.oneIn(4) ? [value, value] : value);
  }
  return headers;
}

/** As undici does, even for `__proto__`. */
function set(headers: object, name: string, value: string | string[]): void {
  Object.defineProperty(headers, name, { value, writable: true, enumerable: true, configurable: true });
}

const routeOf = ({ endpoint }: HostileCase): Route => ROUTES.find((route) => route.endpoint === endpoint)!;

const isConverted = (hostile: HostileCase): boolean => routeOf(hostile).converts === true;

export function requestOf(hostile: HostileCase): ScriptedRequest {
  const { endpoint, usage, converts, isFile } = routeOf(hostile);
  return {
    method: hostile.method,
    body: { model: 'gpt-4o-mini', stream: hostile.asksForStream },
    route: { endpoint, usage },
    plan: {
      ...(converts && { converter: new CompletionConverter({ echo: 'Say', usageChunk: true }) }),
      ...(isFile && { returnsFile: true }),
    },
  };
}

export function responseOf({ status, headers, body, cuts, encoding, ending }: HostileCase): ScriptedResponse {
  const bytes = Buffer.from(body, 'latin1');
  if (encoding !== null) {
    const packed = gzipSync(bytes, { level: 1 });
    const chunks = [encoding === 'gzip' ? packed : packed.subarray(0, packed.length - 9)];
    return { status, headers: { ...headers }, chunks, ending };
  }
  const chunks = [...cuts, bytes.length].map((cut, at) => bytes.subarray(cuts[at - 1] ?? 0, cut));
  // With a `content-length`, the response would be complete after its last byte.
  const isCut = ending !== 'end' && headers['content-length'] !== undefined;
  return { status, headers: { ...headers }, chunks: isCut ? chunks.slice(0, -1) : chunks, ending };
}

/** Expects a complete or visibly incomplete response, without credentials, and otherwise with the bytes of the provider. */
export function mustBeSafe(view: ClientView, hostile: HostileCase): void {
  const { status, headers, body, complete, ctx } = view;
  const { isFile } = routeOf(hostile);
  // Without a status, the connection was closed before the headers left the process.
  const isRefusal = status !== null && status !== hostile.status;
  must(!isRefusal || status === 502, `status ${status}`);
  must(complete || !isRefusal, 'an incomplete error');
  must(
    hostile.ending !== 'end' || complete || isConverted(hostile) || hostile.encoding !== null,
    'an incomplete response',
  );
  must(
    hostile.ending === 'end' || !complete || hostile.status >= 300 || isRefusal,
    'an interrupted response that looks complete',
  );
  const texts = [JSON.stringify(headers), ctx.response.errorMessage ?? '', ctx.upstream.responseModel ?? ''];
  if (isFile !== true || isRefusal) texts.push(body.toString('latin1'));
  for (const text of texts) must(!text.includes(SECRET) && !text.includes(SECRET_IN_JSON), 'the credential');
  const redact = (text: string) => redactCredentials(text, [SECRET]);
  const errors = hostile.status >= 300 ? [body] : isSearched(view, hostile) ? errorsIn(body) : [];
  for (const error of errors) must(redactJson(error, redact) === error, 'a credential in an error');
  const isUnchanged = !hostile.hasCredential && !isRefusal && hostile.status < 300 && hostile.encoding === null;
  if (!isUnchanged || isConverted(hostile) || hostile.method === 'HEAD' || status === 204) return;
  const sent = Buffer.from(hostile.body, 'latin1');
  must(sent.subarray(0, body.length).equals(body), 'different bytes');
  must(!complete || body.length === sent.length, 'missing bytes');
}

/** Whether all errors of a 2xx response must be redacted. If it arrives in pieces, the beginning of an event can be forwarded before. */
function isSearched({ body }: ClientView, hostile: HostileCase): boolean {
  const type = hostile.headers['content-type'] ?? '';
  const isKnown = type === '' || formatOf(type) !== null || /^\s*[{[]/.test(hostile.body);
  return isKnown && hostile.cuts.length === 0 && routeOf(hostile).isFile !== true && body.length < 60_000;
}

/** Returns the events of a stream, or the JSON body, that contain an error. */
function errorsIn(body: Buffer): Buffer[] {
  const text = body.toString('latin1');
  const units = /^\s*[{[]/.test(text) ? [text] : text.split(/\r\n\r\n|\n\n|\r\r/);
  return units.filter(isError).map((unit) => Buffer.from(unit, 'latin1'));
}

/** In an event with several lines, malformed JSON can hide an error after it. */
function isError(unit: string): boolean {
  const lines = unit.split(/[\r\n]+/);
  const data = lines.filter((line) => /^data:|^\s*[{[]/.test(line));
  if (data.length !== 1) return false;
  return lines.some((line) => /^event: ?error$/.test(line)) || isErrorJson(data[0]!.replace(/^data: ?/, ''));
}

const isEmpty = (error: unknown): boolean => isDeepStrictEqual(error, {});

function isErrorJson(text: string): boolean {
  try {
    const { error, type } = JSON.parse(text) as { readonly error?: unknown; readonly type?: unknown };
    return (
      type === 'error' || (error !== undefined && error !== null && error !== false && error !== '' && !isEmpty(error))
    );
  } catch {
    return false;
  }
}
