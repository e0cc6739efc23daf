// As much of HTTP/1.1 as the proxies under test speak to a provider.
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** What a request wants stands at the start of its body; at the end of it where a proxy writes bodies anew. */
const EDGE_BYTES = 300;

/** Calls `onRequest` with `{method, path, edges}` when a request is there whole; one at a time on a connection. */
export function readRequests(socket, onRequest) {
  let request = null;
  let unread = Buffer.alloc(0);
  socket.on('data', (data) => {
    let body = data;
    if (request === null) {
      const bytes = unread.length === 0 ? data : Buffer.concat([unread, data]);
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return void (unread = bytes);
      unread = Buffer.alloc(0);
      request = begin(bytes.latin1Slice(0, end));
      body = bytes.subarray(end + HEAD_END.length);
    }
    if (!take(request, body)) return;
    const whole = request;
    request = null;
    onRequest(whole);
  });
}

function begin(head) {
  const [method, path] = head.slice(0, head.indexOf('\r\n')).split(' ');
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const chunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head);
  return { method, path, edges: '', received: 0, length: Number(length ?? 0), chunked, tail: Buffer.alloc(0) };
}

/** Whether `data` ends the request. */
function take(request, data) {
  if (request.received === 0) request.edges = data.subarray(0, EDGE_BYTES).latin1Slice();
  request.received += data.length;
  if (!request.chunked) return request.received >= request.length && end(request, data);
  const size = LAST_CHUNK.length;
  request.tail = data.length >= size ? data.subarray(-size) : Buffer.concat([request.tail, data]).subarray(-size);
  return request.tail.equals(LAST_CHUNK) && end(request, data);
}

function end(request, data) {
  if (data.length > EDGE_BYTES) request.edges += data.subarray(-EDGE_BYTES).latin1Slice();
  return true;
}
