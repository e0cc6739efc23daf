import type { Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** Bodies are not kept. The parts that scripts need are near the beginning or the end. */
const EDGE_BYTES = 300;
const NOTHING = Buffer.alloc(0);

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly edges: string;
}

interface Unfinished extends RawRequest {
  edges: string;
  received: number;
  readonly length: number;
  readonly chunked: boolean;
  /** The last bytes of a chunked body, to detect its end. */
  tail: Buffer;
  answered: boolean;
}

interface Listeners {
  readonly onHead: (request: RawRequest) => boolean;
  readonly onRequest: (request: RawRequest) => void;
}

export function readRequests(socket: Socket, { onHead, onRequest }: Listeners): void {
  let request: Unfinished | null = null;
  let unread: Buffer = NOTHING;
  socket.on('data', (data: Buffer) => {
    let bytes = unread.length === 0 ? data : Buffer.concat([unread, data]);
    unread = NOTHING;
    while (bytes.length > 0) {
      let begins = false;
      if (request === null) {
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) return void (unread = bytes);
        request = begin(bytes.toString('latin1', 0, end));
        bytes = bytes.subarray(end + HEAD_END.length);
        begins = true;
      }
      const taken = take(request, bytes);
      if (begins) request.answered = onHead(request);
      if (taken === null) return;
      bytes = bytes.subarray(taken);
      const whole = request;
      request = null;
      if (!whole.answered) onRequest(whole);
    }
  });
}

function begin(head: string): Unfinished {
  const [method = '', path = ''] = head.slice(0, head.indexOf('\r\n')).split(' ');
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const chunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
  return { method, path, edges: '', received: 0, length: Number(length ?? 0), chunked, tail: NOTHING, answered: false };
}

/** Returns how many of the bytes belong to the request if they complete it, or null if more bytes must follow. */
function take(request: Unfinished, bytes: Buffer): number | null {
  const left = request.length - request.received;
  const data = request.chunked || bytes.length <= left ? bytes : bytes.subarray(0, left);
  if (request.received === 0) request.edges = data.subarray(0, EDGE_BYTES).toString('latin1');
  request.received += data.length;
  if (!request.chunked && data.length < left) return null;
  if (request.chunked && !endsChunks(request, data)) return null;
  if (data.length > EDGE_BYTES) request.edges += data.subarray(-EDGE_BYTES).toString('latin1');
  return data.length;
}

/** Assumes that no other request follows in the same piece of data, because clients wait for the response. */
function endsChunks(request: Unfinished, data: Buffer): boolean {
  const size = LAST_CHUNK.length;
  request.tail = data.length >= size ? data.subarray(-size) : Buffer.concat([request.tail, data]).subarray(-size);
  return request.tail.equals(LAST_CHUNK);
}
