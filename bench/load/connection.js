import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const NOTHING = Buffer.alloc(0);

export function requestBytes({ method, path, headers, body }) {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from([`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers, ...length, '', body].join('\r\n'));
}

export class Connection {
  onAnswer = () => {};
  onBroken = () => {};
  onFirst = () => {};
  onPiece = null;
  #answer = null;
  #ended = false;

  constructor(port) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (data) => this.#read(data));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.#ended || this.onBroken());
  }

  /** @param startedAt the start of the latency: now, or the planned time of the request */
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
    // Keep the end of the blank line, which precedes the first chunk like a line end precedes the others.
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
