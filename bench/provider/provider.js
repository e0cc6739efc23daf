// The benchmark's provider: the scripted provider in raw mode, which is faster than the measured subjects. argv: port.
// The request's `user` field selects the reply: `bytes=1024`, or `chunks=200 everyMs=20` (0: without pauses).
import { RawProvider } from '../../dist/sandbox/src/scripted/raw-provider.js';
import { chatResponse, chunk, embeddings, lastChunks, models, stampAt, STAMP_DIGITS } from './responses.data.js';
import { everyFewMs } from './pace.js';
import { steadyMicroseconds } from '../load/steady-clock.js';

const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const counts = { requests: 0, chunks: 0 };
const wholes = new Map([
  ['embeddings', whole(embeddings)],
  ['models', whole(models)],
]);

await RawProvider.start({ onRequest: response }, Number(process.argv[2]));
process.send('listening');
process.on('message', () => process.send({ ...counts }));
process.on('disconnect', () => process.exit());

function response({ method, path, edges }, socket) {
  counts.requests++;
  if (method === 'GET') return socket.write(wholes.get('models'));
  if (path.endsWith('/embeddings')) return socket.write(wholes.get('embeddings'));
  const asked = (name) => Number(new RegExp(`${name}=(\\d+)`).exec(edges)?.[1] ?? 0);
  const chunks = asked('chunks');
  if (chunks > 0) return stream(socket, chunks, asked('everyMs'));
  const bytes = asked('bytes');
  if (!wholes.has(bytes)) wholes.set(bytes, whole(chatResponse(bytes)));
  return socket.write(wholes.get(bytes));
}

function whole(body) {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function stream(socket, chunks, everyMs) {
  let sent = 0;
  socket.write(STREAM_HEAD);
  const one = () => {
    if (socket.destroyed) return false;
    if (sent++ === chunks) {
      socket.write(lastChunks(chunks));
      return false;
    }
    counts.chunks++;
    socket.write(stamped());
    return true;
  };
  if (everyMs > 0) return everyFewMs(everyMs, one);
  // One write per event-loop turn, so that chunks are sent separately.
  const next = () => {
    if (!one()) return;
    if (socket.writableNeedDrain) socket.once('drain', next);
    else setImmediate(next);
  };
  next();
}

function stamped() {
  const copy = Buffer.from(chunk);
  copy.latin1Write(String(steadyMicroseconds()).padStart(STAMP_DIGITS, '0'), stampAt, STAMP_DIGITS);
  return copy;
}
