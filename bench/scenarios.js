const JSON_TYPE = 'content-type: application/json';

function chat(wanted, { bytes = 2048, stream = false } = {}) {
  // `user` must come first in the body, because the provider reads no further.
  const start = { user: wanted, model: 'gpt-4o-mini', ...(stream ? { stream: true } : {}) };
  const turn = 'Tell me about gateways, and what they are for. '.repeat(40);
  const messages = [{ role: 'user', content: turn.slice(0, 1800) }];
  while (JSON.stringify({ ...start, messages }).length + 1900 < bytes) {
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content: turn.slice(0, 1800) });
  }
  return post('/v1/chat/completions', { ...start, messages });
}

const post = (path, body) => ({ method: 'POST', path, headers: [JSON_TYPE], body: JSON.stringify(body) });
const get = (path) => ({ method: 'GET', path, headers: [], body: '' });

const buffered = (responseKb, requestKb, connections) => ({
  kind: 'throughput',
  name: `json-${responseKb}k-${requestKb}k`,
  title: `Buffered JSON: ${responseKb} KiB responses to ${requestKb} KiB requests, ${connections} connections`,
  unit: 'request',
  connections,
  request: chat(`bytes=${responseKb * 1024}`, { bytes: requestKb * 1024 }),
});

const streams = (name, title, connections, chunks, everyMs) => ({
  kind: 'throughput',
  name,
  title,
  unit: 'stream',
  connections,
  request: chat(`chunks=${chunks} everyMs=${everyMs}`, { stream: true }),
  stamped: true,
  paced: everyMs > 0,
});

const embeddingsBody = {
  user: 'bench',
  model: 'text-embedding-3-small',
  dimensions: 256,
  input: Array.from({ length: 1000 }, (_, at) => `The text with the number ${at}.`),
};

export const SCENARIOS = [
  buffered(1, 2, 64),
  buffered(64, 2, 64),
  buffered(1, 200, 64),
  buffered(64, 200, 64),
  streams('streams-100', '100 streams of 200 chunks at maximum speed', 100, 200, 0),
  streams('streams-100-paced', '100 streams at 50 chunks per second', 100, 100, 20),
  streams('streams-1000-paced', '1,000 streams at 20 chunks per second', 1000, 40, 50),
  {
    kind: 'throughput',
    name: 'embeddings',
    title: 'Embeddings: 1,000 vectors of 256 numbers per response, 8 connections',
    unit: 'request',
    connections: 8,
    request: post('/v1/embeddings', embeddingsBody),
  },
  {
    kind: 'throughput',
    name: 'models',
    title: 'GET /v1/models: 500 models, 64 connections (only the gateway responds from memory)',
    unit: 'request',
    connections: 64,
    request: get('/v1/models'),
  },
  {
    kind: 'held',
    name: 'streams-2000-held',
    title: '2,000 concurrent streams in fresh processes',
    connections: 2000,
    request: chat('chunks=1000 everyMs=2000', { stream: true }),
    warmup: chat('chunks=20 everyMs=0', { stream: true }),
  },
  {
    kind: 'latency',
    name: 'latency',
    title: 'Latency added to a buffered 1 KiB response at an even rate',
    measured: 'latency',
    request: chat('bytes=1024'),
  },
  {
    kind: 'latency',
    name: 'latency-first-byte',
    title: 'Latency added to the first byte of a 10-chunk stream at an even rate',
    measured: 'firstByte',
    request: chat('chunks=10 everyMs=0', { stream: true }),
  },
  { kind: 'validation', name: 'validation', title: 'Validation alone, with the rules of POST /v1/chat/completions' },
  { kind: 'admission', name: 'admission', title: 'Admission alone, in-process' },
  { kind: 'cold-start', name: 'cold-start', title: 'Cold start: from spawn to the first 200 of /health/ready' },
];

export function chosenScenarios(words) {
  for (const word of words) {
    if (!SCENARIOS.some(({ name }) => name.startsWith(word)))
      throw new Error(`Unknown scenario: ${word}. Run with --help for a list.`);
  }
  return SCENARIOS.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)));
}
