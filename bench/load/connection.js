import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const NOTHING = Buffer.alloc(0);

export function requestBytes({ method, path, headers, body }) {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  return Buffer.from([`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers, ...length, '', body].join('\r\n'));
}

export class Connection {
  onResponse = () => {};
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
    const response = this.#answer;
    if (response === null) return;
    if (response.firstAt === 0) {
      response.firstAt = performance.now();
      this.onFirst(response.firstAt - response.startedAt);
    }
    this.onPiece?.(data);
    if (!take(response, data)) return;
    this.#answer = null;
    this.onResponse(response);
  }
}

function take(response, data) {
  if (response.head === null) {
    const bytes = response.tail.length === 0 ? data : Buffer.concat([response.tail, data]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      response.tail = bytes;
      return false;
    }
    response.head = bytes.latin1Slice(0, end);
    response.status = response.head.slice(9, 12);
    response.length = Number(/\r\ncontent-length: *(\d+)/i.exec(response.head)?.[1] ?? -1);
    data = bytes.subarray(end + HEAD_END.length);
    // Keeps the end of the blank line, because `LAST_CHUNK` starts with a line end.
    response.tail = bytes.subarray(end + 2, end + 4);
  }
  if (response.length >= 0) {
    response.received += data.length;
    return response.received >= response.length;
  }
  const size = LAST_CHUNK.length;
  response.tail = data.length >= size ? data.subarray(-size) : Buffer.concat([response.tail, data]).subarray(-size);
  return response.tail.equals(LAST_CHUNK);
}
