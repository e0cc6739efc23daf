// The provider of the benchmark: 1 KB answers, and streams of 200 chunks, as fast as it can. argv: port
import { createServer } from 'node:http';

const message = 'x'.repeat(760);
const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  }),
);
const models = Buffer.from(
  JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model', created: 1, owned_by: 'openai' }] }),
);
const CHUNKS = 200;
const chunk = Buffer.from(
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'some words ' }, finish_reason: null }] })}\n\n`,
);
const last = Buffer.from(
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":200}}\n\ndata: [DONE]\n\n`,
);

const server = createServer((req, res) => {
  if (req.method === 'GET') return send(res, models);
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => (Buffer.concat(parts).includes('"stream":true') ? stream(res) : send(res, answer)));
});
server.keepAliveTimeout = 120_000;
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'));
process.on('disconnect', () => process.exit());

function send(res, body) {
  res.writeHead(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
  res.end(body);
}

/** One write a turn of the event loop, so that chunks travel as chunks. */
function stream(res) {
  res.writeHead(200, ['content-type', 'text/event-stream']);
  let sent = 0;
  const next = () => {
    if (res.destroyed) return;
    if (sent++ === CHUNKS) return res.end(last);
    if (res.write(chunk)) setImmediate(next);
    else res.once('drain', next);
  };
  next();
}
