import { connect, type Socket } from 'node:net';

/** One HTTP response, as received on the wire. */
export interface WireResponse {
  readonly status: number;
  /** Header values by lowercase name. The values of a repeated header are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A raw connection to a server, for tests of exact bytes, their timing and the order of responses. */
export class Wire {
  private received = Buffer.alloc(0);
  private ended = false;
  private readonly wakers = new Set<() => void>();
  /** Resolves when the server has ended or reset the connection, or rejects more bytes. */
  readonly closed: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      const end = () => {
        this.ended = true;
        this.wake();
        resolve();
      };
      socket.on('end', end).on('close', end);
    });
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    const wire = new Wire(socket);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return wire;
  }

  /** Sends one request on a new connection and reads its response. */
  static async once(port: number, bytes: string | Buffer): Promise<WireResponse> {
    const wire = await Wire.open(port);
    wire.write(bytes);
    try {
      return await wire.response();
    } finally {
      wire.close();
    }
  }

  /** Sends text as latin1, one byte per character. */
  write(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves when the operating system has accepted all written bytes, or the connection is lost. */
  async drained(): Promise<void> {
    while (!this.ended && this.socket.writableLength > 0) {
      await new Promise<void>((resolve) => {
        const done = () => {
          this.socket.off('drain', done).off('close', done);
          resolve();
        };
        this.socket.once('drain', done).once('close', done);
      });
    }
  }

  /**
   * Reads the next complete response, which can be an interim one.
   * @throws if the connection ends before it is complete
   */
  async response(): Promise<WireResponse> {
    for (;;) {
      const parsed = parse(this.received);
      if (parsed !== null) {
        this.received = this.received.subarray(parsed.length);
        return parsed.response;
      }
      if (this.ended) throw new Error(`the connection ended after ${JSON.stringify(this.received.toString('latin1'))}`);
      await new Promise<void>((resolve) => this.wakers.add(resolve));
    }
  }

  /** The received bytes after the last response that was read. */
  get unread(): string {
    return this.received.toString('latin1');
  }

  close(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const waker of this.wakers) waker();
    this.wakers.clear();
  }
}

function parse(bytes: Buffer): { response: WireResponse; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const status = Number(statusLine.split(' ')[1]);
  const start = headEnd + 4;
  const body =
    headers['transfer-encoding'] === 'chunked' ? chunkedBody(bytes, start) : sizedBody(bytes, start, headers);
  return body && { response: { status, headers, text: body.bytes.toString() }, length: body.end };
}

function sizedBody(bytes: Buffer, start: number, headers: Record<string, string>) {
  const end = start + Number(headers['content-length'] ?? 0);
  return bytes.length < end ? null : { bytes: bytes.subarray(start, end), end };
}

function chunkedBody(bytes: Buffer, start: number) {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return null;
    if (size === 0) return { bytes: Buffer.concat(chunks), end: end + 2 };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

/** @param lines further header lines without line ends */
export const requestHead = (method: string, path: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: gateway', ...lines, '', ''].join('\r\n');

/** @param lines further header lines without line ends */
export const postHead = (path: string, key: string | null, ...lines: string[]): string =>
  requestHead('POST', path, ...(key === null ? [] : [`Authorization: Bearer ${key}`]), ...lines);

export const chatHead = (key: string | null, ...lines: string[]): string =>
  postHead('/v1/chat/completions', key, ...lines);

const JSON_TYPE = 'Content-Type: application/json';

export const chatRequest = (key: string | null, body: string, ...lines: string[]): string =>
  chatHead(key, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body, 'latin1')}`, ...lines) + body;
