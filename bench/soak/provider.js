// A provider as it is on a bad day. The `user` field of a request says what becomes of it. argv: port.
import { createServer } from 'node:http';
import { chatAnswer, models } from '../provider/answers.data.js';

const PIECE = 16_384;
const CHUNK = `data: ${JSON.stringify({ id: 'chatcmpl-soak', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'some words '.repeat(4) }, finish_reason: null }] })}\n\n`;
const LAST = `data: {"id":"chatcmpl-soak","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":40,"total_tokens":51}}\n\ndata: [DONE]\n\n`;
const small = chatAnswer(1024);
const large = chatAnswer(2 * 1024 * 1024);

/** By the name that stands in the request. */
const DEEDS = {
  small: (res) => whole(res, small),
  late: (res) => setTimeout(() => whole(res, small), 300),
  large: (res) => whole(res, large),
  stream: (res) => stream(res, 40, 5),
  'long-stream': (res) => stream(res, 400, 5),
  'fast-stream': (res) => stream(res, 20_000, 0),
  error: (res) => whole(res, Buffer.from('{"error":{"message":"Something broke","type":"server_error"}}'), 500),
  limited: (res) => whole(res, Buffer.from('{"error":{"message":"Too many requests","type":"rate_limit"}}'), 429),
  'no-json': (res) => whole(res, Buffer.from('<html>Bad gateway</html>'), 502),
  closes: (res) => res.socket.destroy(),
  resets: (res) => res.socket.resetAndDestroy(),
  'resets-answer': (res) => {
    head(res, large);
    res.write(large.subarray(0, PIECE), () => res.socket?.resetAndDestroy());
  },
  'resets-stream': (res) => stream(res, 10, 5, () => res.socket?.resetAndDestroy()),
  'ends-stream-early': (res) => stream(res, 10, 5, () => res.socket?.destroy()),
};

const server = createServer((req, res) => {
  res.on('error', () => undefined);
  if (req.method === 'GET') return whole(res, models);
  let start = '';
  req.on('data', (data) => (start += start.length < PIECE ? data.toString('latin1') : ''));
  req.on('end', () => DEEDS[/"user":"([^"]+)"/.exec(start)?.[1] ?? 'small'](res));
  req.on('error', () => undefined);
});
server.keepAliveTimeout = 5000;
server.listen(Number(process.argv[2]), '127.0.0.1', 4096, () => process.send('listening'));
process.on('disconnect', () => process.exit());

function head(res, body, status = 200) {
  res.writeHead(status, ['content-type', 'application/json', 'content-length', String(body.length)]);
}

function whole(res, body, status = 200) {
  if (res.destroyed) return;
  head(res, body, status);
  res.end(body);
}

/** So many chunks, one each `everyMs`; 0: as fast as they are taken. */
function stream(res, chunks, everyMs, end = () => res.end(LAST)) {
  res.writeHead(200, ['content-type', 'text/event-stream']);
  let sent = 0;
  const next = () => {
    if (res.destroyed) return;
    if (sent++ === chunks) return void end();
    const goesOn = res.write(CHUNK);
    if (!goesOn) res.once('drain', next);
    else if (everyMs > 0) setTimeout(next, everyMs);
    else setImmediate(next);
  };
  next();
}
