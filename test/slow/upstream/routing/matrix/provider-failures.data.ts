import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../../../../sandbox/src/scripted/reply.js';

/** A request with a buffered or streamed response, or a form with a file. */
export const TRANSPORTS = ['buffered', 'stream', 'upload'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** How a provider fails. Exactly one of `connect` and `respond` is set. */
export interface ProviderFailure {
  readonly name: string;
  /** The provider might have processed the request, and might charge for it. */
  readonly isBilled: boolean;
  /** Fails a new connection before TLS. */
  readonly connect?: (socket: Socket) => void;
  readonly respond?: (response: ServerResponse, transport: Transport) => Reply | void;
  /** The timeouts of the upstream while it fails. */
  readonly timeouts?: Readonly<Record<string, number>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_TYPE = { 'content-type': 'text/event-stream' };
const html = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><h1>${status}</h1></html>`,
});

const raw = (bytes: string) => (response: ServerResponse) => void response.socket!.end(bytes);

const refuses = (name: string, reply: Reply): ProviderFailure => ({ name, isBilled: false, respond: () => reply });

const breaks = (name: string, respond: ProviderFailure['respond']): ProviderFailure => ({
  name,
  isBilled: true,
  respond: respond!,
});

const error = (status: number, fields: object, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers,
  body: { error: fields },
});

/** An error in a response with status 200: the first event of a stream, or a JSON object. */
const inside200 = (fields: object) => (_: ServerResponse, transport: Transport) => {
  const text = JSON.stringify({ type: 'error', error: fields });
  return transport === 'stream'
    ? { headers: EVENT_TYPE, body: `event: error\ndata: ${text}\n\n` }
    : { headers: JSON_TYPE, body: text };
};

const FIRST_EVENT = 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n';
const LATE_ERROR = { message: 'The engine failed', type: 'server_error' };

/** Sends the beginning of a success. */
function begin(response: ServerResponse, transport: Transport): void {
  const isStream = transport === 'stream';
  response.writeHead(200, isStream ? EVENT_TYPE : JSON_TYPE).write(isStream ? FIRST_EVENT : '{"text":"Hel');
}

/** The kinds of failures that occur between a gateway and its providers. */
export const FAILURES: readonly ProviderFailure[] = [
  { name: 'closes new connections', isBilled: false, connect: (socket) => void socket.resetAndDestroy() },
  { name: 'does not answer new connections', isBilled: false, connect: () => {}, timeouts: { connect_ms: 200 } },
  {
    name: 'answers new TLS connections without TLS',
    isBilled: false,
    connect: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  },

  breaks('resets the connection after the request', (response) => void response.socket!.resetAndDestroy()),
  breaks('closes the connection after the request', (response) => void response.socket!.destroy()),
  breaks('cuts the response headers', raw('HTTP/1.1 200 OK\r\ncontent-ty')),
  breaks('answers with another protocol', raw('SSH-2.0-OpenSSH_9.9\r\n')),
  { ...breaks('never responds', () => {}), timeouts: { head_ms: 250 } },
  breaks('cuts the response', (response, transport) => {
    begin(response, transport);
    setImmediate(() => response.socket?.resetAndDestroy());
  }),
  { ...breaks('stops in the middle of the response', begin), timeouts: { idle_ms: 250 } },
  breaks('sends a corrupt compressed response', () => ({
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: 'not gzip',
  })),
  breaks('uses an unknown encoding', () => ({
    headers: { ...JSON_TYPE, 'content-encoding': 'compress' },
    body: 'unknown',
  })),
  breaks('reports an error in the middle of the response', (_, transport) =>
    transport === 'stream'
      ? { headers: EVENT_TYPE, chunks: [FIRST_EVENT, `data: ${JSON.stringify({ error: LATE_ERROR })}\n\n`], pauseMs: 0 }
      : { body: { id: 'chatcmpl-1', choices: [], error: LATE_ERROR } },
  ),

  refuses(
    'rejects the key',
    error(401, { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' }),
  ),
  refuses(
    'rejects the scope of the key',
    error(401, { message: 'You have insufficient permissions. Missing scopes: model.request' }),
  ),
  refuses('has no credit left (402)', error(402, { message: 'Insufficient credits' })),
  refuses(
    'denies the account',
    error(403, { message: 'Your organization has been suspended', type: 'permission_error' }),
  ),
  refuses('denies the model', error(403, { message: 'Project `p` does not have access to model `m`' })),
  refuses('has no such model (code)', error(404, { message: 'The model does not exist', code: 'model_not_found' })),
  refuses('has no such model (message)', {
    status: 404,
    body: { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 },
  }),
  refuses(
    'has no such deployment',
    error(404, { code: 'DeploymentNotFound', message: 'The API deployment does not exist' }),
  ),
  refuses(
    'rejects the key (400)',
    error(400, { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }),
  ),
  refuses(
    'has no credit left (400)',
    error(400, { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API' }),
  ),
  refuses(
    'has no quota left (429)',
    error(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
  ),
  refuses('limits requests', error(429, { message: 'Rate limit reached', type: 'requests' })),
  refuses(
    'limits tokens',
    error(
      429,
      { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' },
      {
        'x-ratelimit-limit-tokens': '1000',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '20s',
      },
    ),
  ),
  refuses('limits requests for a time', error(429, { message: 'Rate limit reached' }, { 'retry-after': '30' })),
  refuses('limits requests without a reason', html(429)),
  refuses('is unavailable', html(503)),
  refuses('is overloaded', error(529, { type: 'overloaded_error', message: 'Overloaded' })),
  {
    name: 'is unavailable, and does not end the response',
    isBilled: false,
    respond: (response) => void response.writeHead(503, JSON_TYPE).write('{"error":'),
  },

  breaks('fails (500)', () => error(500, { message: 'The server had an error', type: 'server_error' })),
  breaks('fails (502)', () => html(502)),
  breaks('fails (504)', () => ({ status: 504 })),
  breaks('fails (520)', () => html(520)),
  breaks('redirects', () => ({ status: 302, headers: { location: 'https://example.com/' } })),

  {
    name: 'is overloaded inside a 200',
    isBilled: false,
    respond: inside200({ type: 'overloaded_error', message: 'Overloaded' }),
  },
  {
    name: 'limits requests inside a 200',
    isBilled: false,
    respond: inside200({ type: 'rate_limit_error', message: 'Rate limited' }),
  },
  {
    name: 'has no quota left inside a 200',
    isBilled: false,
    respond: inside200({ code: 'insufficient_quota', message: 'You exceeded your current quota' }),
  },
  breaks('fails inside a 200', inside200({ type: 'api_error', message: 'Internal server error' })),
];
