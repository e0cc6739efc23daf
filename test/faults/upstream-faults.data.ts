import type { Socket } from 'node:net';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { FailureReason } from '../../src/upstream/upstream-failure.js';
import type { AnswerForm, Misdeed } from './faulty-upstream.js';

/**
 * What a client sees of a fault, and what stays of it.
 * - `served`: 200 and all bytes of the answer; 9 and 3 tokens, reported; nothing failed.
 * - `refused`: 502 `upstream_error` in the envelope with every header of the gateway's own; no tokens; `reason` failed.
 * - `cut`: a head of 200, then a connection that ends so that no client takes the answer for whole; `reason` failed.
 * In all cases: one request counted and one in usage, one row with the status and the code, and the next is served.
 */
export type Outcome =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'refused';
      /** Two: the answer's status, and what became of its message. */
      readonly reason: FailureReason | readonly FailureReason[];
      /** In place of `reason`, where the moment decides. */
      readonly or?: FailureReason;
      readonly upstreamStatus?: number;
      readonly shown?: string;
    }
  | { readonly kind: 'cut'; readonly reason: FailureReason };

interface FaultRow {
  readonly fault: string;
  readonly misdeed: Misdeed;
  /** What is done as soon as the request's head has come. */
  readonly atTheHead?: true;
  readonly buffered: Outcome;
  readonly streamed: Outcome;
}

/** The gateway of the matrix waits so long for a head, and for the next piece of a body. */
export const LIMIT_MS = 700;

const served: Outcome = { kind: 'served' };
const refused = (reason: FailureReason): Outcome => ({ kind: 'refused', reason });
const cut = (reason: FailureReason): Outcome => ({ kind: 'cut', reason });
const status = (upstreamStatus: number, shown?: string): Outcome => ({
  ...{ kind: 'refused', reason: 'status', upstreamStatus },
  ...(shown !== undefined && { shown }),
});
const inBoth = (outcome: Outcome) => ({ buffered: outcome, streamed: outcome });
/** A buffered answer is held until it is whole, so its client gets a proper refusal; a streamed one is under way. */
const onceBegun = (reason: FailureReason) => ({ buffered: refused(reason), streamed: cut(reason) });

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const typeOf = ({ type }: AnswerForm): string => `Content-Type: ${type}\r\n`;
const lengthOf = (length: number): string => `Content-Length: ${length}\r\n`;
const chunk = (bytes: Buffer, size = bytes.length.toString(16)): Buffer =>
  Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')]);
const half = ({ body }: AnswerForm): Buffer => body.subarray(0, body.length >> 1);

const bytesOf = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
/** Writes, and leaves the connection as it is. */
const writes =
  (parts: (form: AnswerForm) => readonly (string | Buffer)[]): Misdeed =>
  (socket, form) =>
    void socket.write(bytesOf(parts(form)));
const ends =
  (parts: (form: AnswerForm) => readonly (string | Buffer)[]): Misdeed =>
  (socket, form) =>
    void socket.end(bytesOf(parts(form)));
/** Writes, and resets once that may have been read: a reset throws away what was not. */
const resets =
  (parts: (form: AnswerForm) => readonly (string | Buffer)[]): Misdeed =>
  (socket, form) =>
    void socket.write(bytesOf(parts(form)), () => setTimeout(() => socket.resetAndDestroy(), 50));

/** Writes the pieces one by one, `eachMs` apart, and begins anew with the last for as long as the connection lives. */
function drips(
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
const wellFramed = (form: AnswerForm): Buffer =>
  bytesOf([OK, typeOf(form), lengthOf(form.body.length), '\r\n', form.body]);
const chunked = (form: AnswerForm, ...more: string[]): (string | Buffer)[] => [
  OK,
  typeOf(form),
  CHUNKED,
  ...more,
  '\r\n',
];
const statusAnswer = (line: string, ...headers: string[]): Misdeed => {
  const body = '{"error":{"message":"What the upstream says."}}';
  return writes(() => [`HTTP/1.1 ${line}\r\n`, ...headers, lengthOf(body.length), '\r\n', body]);
};

/** Before the head of the answer has come: 502, whatever was asked for. */
const BEFORE_THE_HEAD: readonly FaultRow[] = [
  { fault: 'closes before the head', misdeed: ends(() => []), ...inBoth(refused('reset')) },
  { fault: 'resets before the head', misdeed: (s) => s.resetAndDestroy(), ...inBoth(refused('reset')) },
  { fault: 'closes in the head', misdeed: ends(() => [OK, 'Content-Ty']), ...inBoth(refused('reset')) },
  { fault: 'resets in the head', misdeed: resets(() => [OK, 'Content-Ty']), ...inBoth(refused('reset')) },
  { fault: 'never answers', misdeed: () => {}, ...inBoth(refused('head_timeout')) },
  { fault: 'stops in the head', misdeed: writes(() => [OK, 'Content-Ty']), ...inBoth(refused('head_timeout')) },
  {
    fault: 'trickles its head for longer than the limit',
    misdeed: (socket) => drips(socket, [Buffer.from(OK), Buffer.from('X-A: 1\r\n')], { eachMs: 50, forever: true }),
    ...inBoth(refused('head_timeout')),
  },
  {
    fault: 'sends interim answers and nothing else',
    misdeed: (s) => drips(s, [Buffer.from('HTTP/1.1 102 Processing\r\n\r\n')], { eachMs: 50, forever: true }),
    ...inBoth(refused('head_timeout')),
  },
];

/** What is no answer at all. */
const GARBAGE: readonly FaultRow[] = [
  ...[
    ['the greeting of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['an alert of TLS', '\x15\x03\x01\x00\x02\x02\x28'],
    ['the settings of HTTP/2', '\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80'],
    ['a body without a head, as HTTP/0.9 would', '{"id":"x"}\n'],
    ['a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'],
    ['a header without a colon', `${OK}nonsense\r\n\r\n`],
    ['a folded header', `${OK}X-A: 1\r\n  2\r\nContent-Length: 2\r\n\r\n{}`],
    ['NUL in a header', `${OK}X-A: a\0b\r\nContent-Length: 2\r\n\r\n{}`],
    ['a length below zero', `${OK}Content-Length: -2\r\n\r\n{}`],
    ['a length that is no number', `${OK}Content-Length: two\r\n\r\n{}`],
    ['a length beyond every number', `${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`],
    ['a length and chunks', `${OK}Content-Length: 2\r\n${CHUNKED}\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a header of 100 KB', `${OK}X-A: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['ten thousand headers', `${OK}${'X-A: 1\r\n'.repeat(10_000)}\r\n`],
  ].map(([what, bytes]): FaultRow => {
    return { fault: `answers ${what!}`, misdeed: ends(() => [bytes!]), ...inBoth(refused('protocol')) };
  }),
  {
    fault: 'switches to another protocol',
    misdeed: writes(() => ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n']),
    ...inBoth(refused('reset')),
  },
];

/** In the body. */
const IN_THE_BODY: readonly FaultRow[] = [
  {
    fault: 'sends less than it announced, and closes',
    misdeed: ends((form) => [OK, typeOf(form), lengthOf(form.body.length), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets in the middle of an announced length',
    misdeed: resets((form) => [OK, typeOf(form), lengthOf(form.body.length), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'closes among its chunks',
    misdeed: ends((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('reset'),
  },
  {
    fault: 'closes before the last, empty chunk',
    misdeed: ends((form) => [...chunked(form), chunk(form.body)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets among its chunks',
    misdeed: resets((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('reset'),
  },
  {
    fault: 'resets where neither length nor chunks tell the end',
    misdeed: resets((form) => [OK, typeOf(form), '\r\n', half(form)]),
    ...onceBegun('reset'),
  },
  {
    fault: 'stops in the middle of a body',
    misdeed: writes((form) => [...chunked(form), chunk(half(form))]),
    ...onceBegun('idle_timeout'),
  },
  ...[
    ['that is no number', 'xyz'],
    ['below zero', '-5'],
    ['beyond every number', 'F'.repeat(20)],
    ['with a 0x before it', '0x5'],
    ['that is empty', ''],
  ].map(([what, size]): FaultRow => {
    return {
      fault: `writes a chunk size ${what!}`,
      misdeed: ends((form) => [...chunked(form), chunk(half(form)), chunk(Buffer.from('hello'), size)]),
      ...onceBegun('protocol'),
    };
  }),
  {
    fault: 'writes a chunk longer than its size',
    misdeed: ends((form) => [
      ...chunked(form),
      chunk(half(form)),
      chunk(form.body.subarray(form.body.length >> 1), '3'),
    ]),
    ...onceBegun('protocol'),
  },
];

/** Compressed though `identity` was asked for. */
const COMPRESSED: readonly FaultRow[] = [
  {
    fault: 'answers in gzip',
    misdeed: writes(({ type, body }) => {
      const packed = gzipSync(body);
      return [OK, typeOf({ type, body }), 'Content-Encoding: gzip\r\n', lengthOf(packed.length), '\r\n', packed];
    }),
    ...inBoth(served),
  },
  {
    fault: 'answers in deflate without its wrapping, in chunks',
    misdeed: writes((form) => [
      ...chunked(form, 'Content-Encoding: deflate\r\n'),
      chunk(deflateRawSync(form.body)),
      '0\r\n\r\n',
    ]),
    ...inBoth(served),
  },
  {
    fault: 'says gzip and means none',
    misdeed: writes((form) => [...chunked(form, 'Content-Encoding: gzip\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...onceBegun('encoding'),
  },
  {
    fault: 'breaks off its gzip within whole chunks',
    misdeed: writes((form) => [
      ...chunked(form, 'Content-Encoding: gzip\r\n'),
      chunk(gzipSync(form.body).subarray(0, 40)),
      '0\r\n\r\n',
    ]),
    ...onceBegun('encoding'),
  },
  {
    fault: 'answers in an encoding that nobody knows',
    misdeed: writes((form) => [...chunked(form, 'Content-Encoding: rot13\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(refused('encoding')),
  },
  {
    fault: 'compresses twice',
    misdeed: writes((form) => [...chunked(form, 'Content-Encoding: gzip, gzip\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(refused('encoding')),
  },
];

/** Odd, and yet whole. */
const WHOLE: readonly FaultRow[] = [
  {
    fault: 'trickles its head, within the limit',
    misdeed: (socket, form) => drips(socket, inPieces(wellFramed(form), 6), { eachMs: LIMIT_MS / 20, forever: false }),
    ...inBoth(served),
  },
  {
    fault: 'trickles its body, longer in all than the limit between two pieces',
    misdeed: (socket, form) => {
      socket.write(bytesOf([OK, typeOf(form), lengthOf(form.body.length), '\r\n']));
      drips(socket, inPieces(form.body, 9), { eachMs: LIMIT_MS / 7, forever: false });
    },
    ...inBoth(served),
  },
  {
    fault: 'sends more than it announced',
    misdeed: ends((form) => [wellFramed(form), OK, lengthOf(2), '\r\n{}']),
    ...inBoth(served),
  },
  {
    fault: 'answers a second time, unasked, on a connection that is kept',
    misdeed: writes((form) => [wellFramed(form), OK, lengthOf(2), '\r\n{}']),
    ...inBoth(served),
  },
  {
    fault: 'sends 100 twice before its head, unasked',
    misdeed: writes((form) => [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 100 Continue\r\nX-Request-Id: interim\r\n\r\n',
      wellFramed(form),
    ]),
    ...inBoth(served),
  },
  {
    fault: 'sends 102 and 103 before its head',
    misdeed: writes((form) => [
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nX-Request-Id: interim\r\n\r\n',
      wellFramed(form),
    ]),
    ...inBoth(served),
  },
  {
    fault: 'answers with HTTP/1.0 and ends by closing',
    misdeed: ends((form) => ['HTTP/1.0 200 OK\r\n', typeOf(form), '\r\n', form.body]),
    ...inBoth(served),
  },
  {
    fault: 'answers with HTTP/1.1, neither length nor chunks, and ends by closing',
    misdeed: ends((form) => [OK, typeOf(form), '\r\n', form.body]),
    ...inBoth(served),
  },
  {
    fault: 'sends trailers behind its chunks, and extensions of them',
    misdeed: writes((form) => [
      ...chunked(form, 'Trailer: X-Request-Id\r\n'),
      chunk(form.body, `${form.body.length.toString(16)};name="value"`),
      '0\r\nX-Request-Id: from-a-trailer\r\nX-GW-Model: evil\r\n\r\n',
    ]),
    ...inBoth(served),
  },
  {
    fault: 'closes its kept-alive connection right behind the answer',
    misdeed: ends((form) => [wellFramed(form)]),
    ...inBoth(served),
  },
  {
    fault: 'closes right behind the last chunk, though it never said so',
    misdeed: ends((form) => [...chunked(form), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(served),
  },
  {
    fault: 'says Connection: close and does so',
    misdeed: ends((form) => [...chunked(form, 'Connection: close\r\n'), chunk(form.body), '0\r\n\r\n']),
    ...inBoth(served),
  },
  {
    fault: 'gives a status text that is no ASCII, and no reason at all',
    misdeed: writes((form) => [
      'HTTP/1.1 200 caf\xe9\r\n',
      typeOf(form),
      lengthOf(form.body.length),
      '\r\n',
      form.body,
    ]),
    ...inBoth(served),
  },
  {
    fault: 'answers before the request’s body is read',
    misdeed: (socket, form) => void socket.write(wellFramed(form)),
    atTheHead: true,
    ...inBoth(served),
  },
];

/** An answer outside 2xx. */
const OTHER_STATUS: readonly FaultRow[] = [
  {
    fault: 'redirects elsewhere',
    misdeed: statusAnswer('307 Temporary Redirect', 'Location: http://127.0.0.1:1/v1/x\r\n'),
    ...inBoth(status(307)),
  },
  {
    fault: 'redirects to itself',
    misdeed: statusAnswer('301 Moved Permanently', 'Location: /v1/models\r\n'),
    ...inBoth(status(301)),
  },
  {
    fault: 'says 304 to what was no question of that kind',
    misdeed: writes(() => ['HTTP/1.1 304 Not Modified\r\n\r\n']),
    ...inBoth(status(304)),
  },
  {
    fault: 'says 429',
    misdeed: statusAnswer('429 Too Many Requests', 'Retry-After: 7\r\n'),
    ...inBoth(status(429, 'What the upstream says.')),
  },
  {
    fault: 'says 500',
    misdeed: statusAnswer('500 Internal Server Error'),
    ...inBoth(status(500, 'What the upstream says.')),
  },
  { fault: 'says 999', misdeed: statusAnswer('999 Who Knows'), ...inBoth(status(999, 'What the upstream says.')) },
  {
    fault: 'says 503 and breaks off its message',
    misdeed: ends(() => ['HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\n{"error":']),
    ...inBoth({ kind: 'refused', reason: ['status', 'reset'], upstreamStatus: 503 }),
  },
  {
    fault: 'says 413 before the request’s body is read, and closes',
    misdeed: (socket) => void socket.end('HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    atTheHead: true,
    ...inBoth(status(413, 'The upstream answered with status 413.')),
  },
];

/** The matrix: each row is tested with a buffered and with a streamed request. */
export const FAULTS: readonly FaultRow[] = [
  ...BEFORE_THE_HEAD,
  ...GARBAGE,
  ...IN_THE_BODY,
  ...COMPRESSED,
  ...WHOLE,
  ...OTHER_STATUS,
];
