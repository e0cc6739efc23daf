// One connection to a subject: a request at a time, its answer read to the end.
import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/** The bytes of a request; its body's length is added. */
export function requestBytes({ method, path, headers, body }) {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from([`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers, ...length, '', body].join('\r\n'));
}

export class Connection {
  /** Told of every answer that has ended: `{startedAt, firstAt, status}`, and of a connection that broke. */
  onAnswer = () => {};
  onBroken = () => {};
  /** Told of each answer's first bytes, in milliseconds since it was asked for. */
  onFirst = () => {};
  /** Told of every piece of an answer, if set. */
  onPiece = null;
  #answer = null;
  #ended = false;

  constructor(port) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (data) => this.#read(data));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.#ended || this.onBroken());
  }

  /** @param startedAt what latency counts from: now, or the moment for which the request was planned */
  ask(request, startedAt = performance.now()) {
    this.#answer = { startedAt, firstAt: 0, head: null, status: '', length: -1, received: 0, tail: NOTHING };
    this.socket.write(request);
  }

  end() {
    this.#ended = true;
    this.socket.destroy();
  }

  #read(data) {
    const answer = this.#answer;
    if (answer === null) return;
    if (answer.firstAt === 0) {
      answer.firstAt = performance.now();
      this.onFirst(answer.firstAt - answer.startedAt);
    }
    this.onPiece?.(data);
    if (!take(answer, data)) return;
    this.#answer = null;
    this.onAnswer(answer);
  }
}

/** Whether `data` ends the answer. */
function take(answer, data) {
  if (answer.head === null) {
    const bytes = answer.tail.length === 0 ? data : Buffer.concat([answer.tail, data]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      answer.tail = bytes;
      return false;
    }
    answer.head = bytes.latin1Slice(0, end);
    answer.status = answer.head.slice(9, 12);
    answer.length = Number(/\r\ncontent-length: *(\d+)/i.exec(answer.head)?.[1] ?? -1);
    data = bytes.subarray(end + HEAD_END.length);
    // The empty line stands before a first chunk as a line end does before every other.
    answer.tail = bytes.subarray(end + 2, end + 4);
  }
  if (answer.length >= 0) {
    answer.received += data.length;
    return answer.received >= answer.length;
  }
  const size = LAST_CHUNK.length;
  answer.tail = data.length >= size ? data.subarray(-size) : Buffer.concat([answer.tail, data]).subarray(-size);
  return answer.tail.equals(LAST_CHUNK);
}
