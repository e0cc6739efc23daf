// A misbehaving provider: the scripted provider, with the reply selected by the request's `user` field. argv: port.
import '../../tools/typescript-hook.js';
import { chatResponse, models } from '../provider/responses.data.js';

// This imports the source, because the test suite runs it before a build exists.
const { ScriptedProvider } = await import('../../sandbox/src/scripted/scripted-provider.ts');

const PIECE = 16_384;
const CHUNK = `data: ${JSON.stringify({ id: 'chatcmpl-soak', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'some words '.repeat(4) }, finish_reason: null }] })}\n\n`;
const LAST = `data: {"id":"chatcmpl-soak","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":40,"total_tokens":51}}\n\ndata: [DONE]\n\n`;
const small = chatResponse(1024);
const large = chatResponse(2 * 1024 * 1024);

const json = (body, status) => ({ status, headers: { 'content-type': 'application/json' }, body });
const stream = (count, everyMs, end) => ({
  headers: { 'content-type': 'text/event-stream' },
  chunks: chunksOf(count, end === undefined),
  pauseMs: everyMs,
  end,
});

const REPLIES = {
  small: () => json(small),
  late: () => ({ ...json(small), delayMs: 300 }),
  large: () => json(large),
  stream: () => stream(40, 5),
  'long-stream': () => stream(400, 5),
  'fast-stream': () => stream(20_000, 0),
  error: () => json('{"error":{"message":"Something broke","type":"server_error"}}', 500),
  limited: () => json('{"error":{"message":"Too many requests","type":"rate_limit"}}', 429),
  'no-json': () => json('<html>Bad gateway</html>', 502),
  closes: (response) => void response.destroy(),
  resets: (response) => void response.socket.resetAndDestroy(),
  'resets-answer': () => ({
    headers: { 'content-type': 'application/json', 'content-length': large.length },
    chunks: [large.subarray(0, PIECE)],
    end: 'reset',
  }),
  'resets-stream': () => stream(10, 5, 'reset'),
  'ends-stream-early': () => stream(10, 5, 'close'),
};

await ScriptedProvider.start({
  port: Number(process.argv[2]),
  keepAliveMs: 5000,
  records: false,
  script: (request, response) => {
    if (request.method === 'GET') return json(models);
    const start = request.body.toString('latin1', 0, PIECE);
    return REPLIES[/"user":"([^"]+)"/.exec(start)?.[1] ?? 'small'](response);
  },
});
process.send('listening');
process.on('disconnect', () => process.exit());

function* chunksOf(count, isWhole) {
  for (let sent = 0; sent < count; sent++) yield CHUNK;
  if (isWhole) yield LAST;
}
