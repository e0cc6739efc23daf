import type { Socket } from 'node:net';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { FailureReason } from '../../src/upstream/upstream-failure.js';
import type { ResponseForm, Misbehavior } from './faulty-upstream.js';

/**
 * The response of the gateway and its records for a fault.
 * - `served`: 200 and the whole response. Usage reports 9 and 3 tokens, and no failure is counted.
 * - `refused`: 502 `upstream_error` with all headers of the gateway and no tokens. A failure with `reason` is counted.
 * - `cut`: 200, then a connection that closes so that the response is visibly incomplete. A failure with `reason` is counted.
 *
 * In all cases one request is counted, usage has one request, one row has the status and code, and the next request is served.
 */
export type Outcome =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'refused';
      /** Two reasons if the response has an error status and its message also fails. */
      readonly reason: FailureReason | readonly FailureReason[];
      /** Another possible reason, if it depends on timing. */
      readonly or?: FailureReason;
      readonly upstreamStatus?: number;
      readonly shown?: string;
    }
  | { readonly kind: 'cut'; readonly reason: FailureReason };

interface FaultRow {
  readonly fault: string;
  readonly misbehave: Misbehavior;
  /** Misbehaves as soon as the request headers have arrived. */
  readonly beforeBody?: true;
  readonly buffered: Outcome;
  readonly streamed: Outcome;
}

/** Head timeout and idle timeout of the gateway in the matrix. */
export const LIMIT_MS = 700;

const served: Outcome = { kind: 'served' };
const refused = (reason: FailureReason): Outcome => ({ kind: 'refused', reason });
const cut = (reason: FailureReason): Outcome => ({ kind: 'cut', reason });
const status = (upstreamStatus: number, shown?: string): Outcome => ({
  kind: 'refused',
  reason: 'status',
  upstreamStatus,
  ...(shown !== undefined && { shown }),
});
const inBoth = (outcome: Outcome) => ({ buffered: outcome, streamed: outcome });
/** A buffered response is held until it is complete, so its client gets an error. A stream has already started. */
const onceBegun = (reason: FailureReason) => ({ buffered: refused(reason), streamed: cut(reason) });

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const typeOf = ({ type }: ResponseForm): string => `Content-Type: ${type}\r\n`;
const lengthOf = (length: number): string => `Content-Length: ${length}\r\n`;
const chunk = (bytes: Buffer, size = bytes.length.toString(16)): Buffer =>
  Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')]);
const half = ({ body }: ResponseForm): Buffer => body.subarray(0, body.length >> 1);

const bytesOf = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const writes =
  (parts: (form: ResponseForm) => readonly (string | Buffer)[]): Misbehavior =>
  (socket, form) =>
    void socket.write(bytesOf(parts(form)));
const ends =
  (parts: (form: ResponseForm) => readonly (string | Buffer)[]): Misbehavior =>
  (socket, form) =>
    void socket.end(bytesOf(parts(form)));
/** Writes and then resets after a pause, because a reset discards bytes that have not been read. */
const resets =
  (parts: (form: ResponseForm) => readonly (string | Buffer)[]): Misbehavior =>
  (socket, form) =>
    void socket.write(bytesOf(parts(form)), () => setTimeout(() => socket.resetAndDestroy(), 50));

/** Writes one piece every `eachMs`. With `forever` it repeats the last piece until the connection closes. */
function trickles(
  socket: Socket,
  pieces: readonly Buffer[],
  { eachMs, forever }: { eachMs: number; forever: boolean },
): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < pieces.length || forever) socket.write(pieces[Math.min(at++, pieces.length - 1)]!);
    else clearInterval(timer);
  }, eachMs);
  socket.once('close', () => clearInterval(timer));
}
const inPieces = (bytes: Buffer, count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    bytes.subarray(Math.floor((bytes.length * at) / count), Math.floor((bytes.length * (at + 1)) / count)),
  );
const wellFramed = (form: ResponseForm): Buffer =>
  bytesOf([OK, typeOf(form), lengthOf(form.body.length), '\r\n', form.body]);
const chunked = (form: ResponseForm, ...more: string[]): (string | Buffer)[] => [
  OK,
  typeOf(form),
  CHUNKED,
  ...more,
  '\r\n',
];
const statusResponse = (line: string, ...headers: string[]): Misbehavior => {
  const body = '{"error":{"message":"The upstream has failed."}}';
  return writes(() => [`HTTP/1.1 ${line}\r\n`, ...headers, lengthOf(body.length), '\r\n', body]);
};

/** Faults before the response headers are complete. They always cause a 502. */
const BEFORE_THE_HEAD: readonly FaultRow[] = [
  { fault: 'closes before the response headers', misbehave: ends(() => []), ...inBoth(refused('reset')) },
  { fault: 'resets before the response headers', misbehave: (s) => s.resetAndDestroy(), ...inBoth(refused('reset')) },
  {
    fault: 'closes inside the response headers',
    misbehave: ends(() => [OK, 'Content-Ty']),
    ...inBoth(refused('reset')),
  },
  {
    fault: 'resets inside the response headers',
    misbehave: resets(() => [OK, 'Content-Ty']),
    ...inBoth(refused('reset')),
  },
  { fault: 'never responds', misbehave: () => {}, ...inBoth(refused('head_timeout')) },
  {
    fault: 'stops inside the response headers',
    misbehave: writes(() => [OK, 'Content-Ty']),
    ...inBoth(refused('head_timeout')),
  },
  {
    fault: 'trickles response headers for longer than the timeout',
    misbehave: (socket) =>
      trickles(socket, [Buffer.from(OK), Buffer.from('X-A: 1\r\n')], { eachMs: 50, forever: true }),
    ...inBoth(refused('head_timeout')),
  },
  {
    fault: 'sends only interim responses',
    misbehave: (s) => trickles(s, [Buffer.from('HTTP/1.1 102 Processing\r\n\r\n')], { eachMs: 50, forever: true }),
    ...inBoth(refused('head_timeout')),
  },
];

/** Bytes that are not a valid HTTP response. */
const GARBAGE: readonly FaultRow[] = [
  ...[
    ['the greeting of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a TLS alert', '\x15\x03\x01\x00\x02\x02\x28'],
    ['HTTP/2 settings', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80'],
    ['a body without headers, as in HTTP/0.9', '{"id":"x"}\n'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'],
    ['a header without a colon', `${OK}nonsense\r\n\r\n`],
    ['a folded header', `${OK}X-A: 1\r\n  2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a NUL in a header', `${OK}X-A: a\0b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a negative length', `${OK}Content-Length: -2\r\n\r\n{}`],
    ['a length that is not a number', `${OK}Content-Length: two\r\n\r\n{}`],
    ['a length that is too large', `${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`],
    ['a length and chunks', `${OK}Content-Length: 2\r\n${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a header of 100 KB', `${OK}X-A: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['10,000 headers', `${OK}${'X-A: 1\r\n'.repeat(10_000)}\r\n`],
  ].map(([what, bytes]): FaultRow => {
    return { fault: `sends ${what!}`, misbehave: ends(() => [bytes!]), ...inBoth(refused('protocol')) };
  }),
  {
    fault: 'switches to another protocol',
    misbehave: writes(() => ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n']),
    ...inBoth(refused('reset')),
  },
];

/** Faults in the response body. */
const IN_THE_BODY: readonly FaultRow[] = [
  {
    fault: 'sends less than its Content-Length and closes',
    misbehave: ends((form) => [OK, typeOf(form), lengthOf(form.body.length), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets before it has sent its Content-Length',
    misbehave: resets((form) => [OK, typeOf(form), lengthOf(form.body.length), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'closes between its chunks',
    misbehave: ends((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('reset'),
  },
  {
    fault: 'closes before the final empty chunk',
    misbehave: ends((form) => [...chunked(form), chunk(form.body)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets between its chunks',
    misbehave: resets((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets a response without a length or chunks',
    misbehave: resets((form) => [OK, typeOf(form), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'stops in the middle of the body',
    misbehave: writes((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('idle_timeout'),
  },
  ...[
    ['that is not a number', 'xyz'],
    ['that is negative', '-5'],
    ['that is too large', 'F'.repeat(20)],
    ['with the prefix 0x', '0x5'],
    ['that is empty', ''],
  ].map(([what, size]): FaultRow => {
    return {
      fault: `sends a chunk size ${what!}`,
      misbehave: ends((form) => [...chunked(form), chunk(half(form)), chunk(Buffer.from('hello'), size)]),
      ...onceBegun('protocol'),
    };
  }),
  {
    fault: 'sends a chunk that is longer than its size',
    misbehave: ends((form) => [
      ...chunked(form),
      chunk(half(form)),
      chunk(form.body.subarray(form.body.length >> 1), '3'),
    ]),
    ...onceBegun('protocol'),
  },
];

/** Compressed responses to requests that accept only `identity`. */
const COMPRESSED: readonly FaultRow[] = [
  {
    fault: 'compresses with gzip',
    misbehave: writes(({ type, body }) => {
      const packed = gzipSync(body);
      return [OK, typeOf({ type, body }), 'Content-Encoding: gzip\r\n', lengthOf(packed.length), '\r\n', packed];
    }),
    ...inBoth(served),
  },
  {
    fault: 'sends raw deflate in chunks',
    misbehave: writes((form) => [
      ...chunked(form, 'Content-Encoding: deflate\r\n'),
      chunk(deflateRawSync(form.body)),
      '0\r\n\r\n',
    ]),
    ...inBoth(served),
  },
  {
    fault: 'declares gzip but does not compress',
    misbehave: writes((form) => [...chunked(form, 'Content-Encoding: gzip\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...onceBegun('encoding'),
  },
  {
    fault: 'truncates its gzip data in complete chunks',
    misbehave: writes((form) => [
      ...chunked(form, 'Content-Encoding: gzip\r\n'),
      chunk(gzipSync(form.body).subarray(0, 40)),
      '0\r\n\r\n',
    ]),
    ...onceBegun('encoding'),
  },
  {
    fault: 'uses an unknown content encoding',
    misbehave: writes((form) => [...chunked(form, 'Content-Encoding: rot13\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(refused('encoding')),
  },
  {
    fault: 'declares two content encodings',
    misbehave: writes((form) => [...chunked(form, 'Content-Encoding: gzip, gzip\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(refused('encoding')),
  },
];

/** Unusual but complete responses. */
const WHOLE: readonly FaultRow[] = [
  {
    fault: 'trickles response headers within the timeout',
    misbehave: (socket, form) =>
      trickles(socket, inPieces(wellFramed(form), 6), { eachMs: LIMIT_MS / 20, forever: false }),
    ...inBoth(served),
  },
  {
    fault: 'trickles its body for longer than the idle timeout in total',
    misbehave: (socket, form) => {
      socket.write(bytesOf([OK, typeOf(form), lengthOf(form.body.length), '\r\n']));
      trickles(socket, inPieces(form.body, 9), { eachMs: LIMIT_MS / 7, forever: false });
    },
    ...inBoth(served),
  },
  {
    fault: 'sends more than its Content-Length',
    misbehave: ends((form) => [wellFramed(form), OK, lengthOf(2), '\r\n{}']),
    ...inBoth(served),
  },
  {
    fault: 'sends an unrequested second response on a keep-alive connection',
    misbehave: writes((form) => [wellFramed(form), OK, lengthOf(2), '\r\n{}']),
    ...inBoth(served),
  },
  {
    fault: 'sends 100 twice before its response without being asked',
    misbehave: writes((form) => [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 100 Continue\r\nX-Request-Id: interim\r\n\r\n',
      wellFramed(form),
    ]),
    ...inBoth(served),
  },
  {
    fault: 'sends 102 and 103 before its response',
    misbehave: writes((form) => [
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nX-Request-Id: interim\r\n\r\n',
      wellFramed(form),
    ]),
    ...inBoth(served),
  },
  {
    fault: 'responds with HTTP/1.0 and ends the response by closing',
    misbehave: ends((form) => ['HTTP/1.0 200 OK\r\n', typeOf(form), '\r\n', form.body]),
    ...inBoth(served),
  },
  {
    fault: 'responds with HTTP/1.1 without a length or chunks and ends the response by closing',
    misbehave: ends((form) => [OK, typeOf(form), '\r\n', form.body]),
    ...inBoth(served),
  },
  {
    fault: 'sends chunk extensions and trailers',
    misbehave: writes((form) => [
      ...chunked(form, 'Trailer: X-Request-Id\r\n'),
      chunk(form.body, `${form.body.length.toString(16)};name="value"`),
      '0\r\nX-Request-Id: from-a-trailer\r\nX-GW-Model: evil\r\n\r\n',
    ]),
    ...inBoth(served),
  },
  {
    fault: 'closes its keep-alive connection right after the response',
    misbehave: ends((form) => [wellFramed(form)]),
    ...inBoth(served),
  },
  {
    fault: 'closes without notice right after the final chunk',
    misbehave: ends((form) => [...chunked(form), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(served),
  },
  {
    fault: 'sends Connection: close and closes',
    misbehave: ends((form) => [...chunked(form, 'Connection: close\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(served),
  },
  {
    fault: 'sends a status text that is not ASCII',
    misbehave: writes((form) => [
      'HTTP/1.1 200 caf\xe9\r\n',
      typeOf(form),
      lengthOf(form.body.length),
      '\r\n',
      form.body,
    ]),
    ...inBoth(served),
  },
  {
    fault: 'responds before it has read the request body',
    misbehave: (socket, form) => void socket.write(wellFramed(form)),
    beforeBody: true,
    ...inBoth(served),
  },
];

/** Responses outside 2xx. */
const OTHER_STATUS: readonly FaultRow[] = [
  {
    fault: 'redirects elsewhere',
    misbehave: statusResponse('307 Temporary Redirect', 'Location: http://127.0.0.1:1/v1/x\r\n'),
    ...inBoth(status(307)),
  },
  {
    fault: 'redirects to itself',
    misbehave: statusResponse('301 Moved Permanently', 'Location: /v1/models\r\n'),
    ...inBoth(status(301)),
  },
  {
    fault: 'returns 304 to an unconditional request',
    misbehave: writes(() => ['HTTP/1.1 304 Not Modified\r\n\r\n']),
    ...inBoth(status(304)),
  },
  {
    fault: 'returns 429',
    misbehave: statusResponse('429 Too Many Requests', 'Retry-After: 7\r\n'),
    ...inBoth(status(429, 'The upstream has failed.')),
  },
  {
    fault: 'returns 500',
    misbehave: statusResponse('500 Internal Server Error'),
    ...inBoth(status(500, 'The upstream has failed.')),
  },
  {
    fault: 'returns 999',
    misbehave: statusResponse('999 Who Knows'),
    ...inBoth(status(999, 'The upstream has failed.')),
  },
  {
    fault: 'returns 503 with a truncated message',
    misbehave: ends(() => ['HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\n{"error":']),
    ...inBoth({ kind: 'refused', reason: ['status', 'reset'], upstreamStatus: 503 }),
  },
  {
    fault: 'returns 413 before it has read the request body, and closes',
    misbehave: (socket) => void socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    beforeBody: true,
    ...inBoth(status(413, 'The upstream returned status 413.')),
  },
];

/** The matrix. Each row is tested with a buffered and a streamed request. */
export const FAULTS: readonly FaultRow[] = [
  ...BEFORE_THE_HEAD,
  ...GARBAGE,
  ...IN_THE_BODY,
  ...COMPRESSED,
  ...WHOLE,
  ...OTHER_STATUS,
];
