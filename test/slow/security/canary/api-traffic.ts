import { chatHead, Wire } from '../../../support/wire.js';
import { echoCredentials } from './scripted-provider.js';
import type { WatchedGateway } from './watched-gateway.js';

export const CONTENT = 'up and down: content of an answer';
const CHAT = '/v1/chat/completions';

export interface CallerKeys {
  readonly caller: string;
  /** Has a limit of one request per day. */
  readonly small: string;
  readonly rotatedOut: string;
  readonly revoked: string;
}

/** Sends `/v1` requests that succeed, fail or are rejected. Only canaries named `up: …` can reach the upstream. */
export async function callApi(gateway: WatchedGateway, keys: CallerKeys): Promise<void> {
  await served(gateway, keys.caller);
  await refused(gateway, keys);
  await failed(gateway, keys.caller);
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const chatOf = (content: string, fields: object = {}) => ({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content }],
  ...fields,
});

async function served(gateway: WatchedGateway, key: string): Promise<void> {
  const { canaries } = gateway;
  const shows = [CONTENT];
  const headers = {
    ...bearer(key),
    cookie: `session=${canaries.plant('a cookie')}`,
    'openai-organization': canaries.plant('an organization'),
    'x-made-up': canaries.plant('a made-up header'),
    'proxy-authorization': canaries.plant('a proxy header'),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `vendor=${canaries.plant('up: tracestate')}`,
    'idempotency-key': canaries.plant('up: idempotency key'),
  };
  const query = `?api_key=${canaries.plant('query api_key')}&KEY=${canaries.plant('query KEY')}&harmless=${canaries.plant('up: query')}&%74oken=${canaries.plant('query token')}`;
  const body = {
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: canaries.plant('up: system prompt') },
      { role: 'user', content: canaries.plant('up: message') },
    ],
    tools: [{ type: 'function', function: { name: 'find', description: canaries.plant('up: tool') } }],
    metadata: { a: canaries.plant('up: metadata') },
  };
  const calls = [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'find', arguments: canaries.plant('up: tool arguments') } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: canaries.plant('up: tool result') },
  ];
  await gateway.send('200 chat', 'POST', CHAT + query, { headers, body, shows });
  await gateway.send('200 tool calls', 'POST', CHAT, { headers, body: { ...body, messages: calls }, shows });
  const streamed = chatOf(canaries.plant('up: streamed'), { stream: true, user: 'streamed' });
  await gateway.send('200 stream', 'POST', CHAT, { headers, body: streamed, shows });
  const embedded = { model: 'text-embedding-3-small', input: canaries.plant('up: embedding') };
  await gateway.send('200 embedding', 'POST', '/v1/embeddings', { headers, body: embedded, shows });
  const message = {
    model: 'claude-3-5-sonnet-20241022',
    max_tokens: 5,
    system: canaries.plant('up: messages, system'),
    messages: [{ role: 'user', content: canaries.plant('up: messages, content') }],
  };
  await gateway.send('200 message', 'POST', '/v1/messages', {
    headers: { 'x-api-key': key, 'x-made-up': canaries.plant('another header') },
    body: message,
    shows,
  });
  const form = { ...headers, 'content-type': 'multipart/form-data; boundary=b' };
  const upload = formOf({ purpose: 'batch', note: canaries.plant('up: form field') }, canaries.plant('up: file'));
  await gateway.send('200 upload', 'POST', '/v1/files', { headers: form, body: upload, shows });
  const fields = { model: 'whisper-1', prompt: canaries.plant('up: transcription field') };
  const spoken = formOf(fields, canaries.plant('up: spoken'));
  await gateway.send('200 transcription', 'POST', '/v1/audio/transcriptions', { headers: form, body: spoken, shows });
  const stores = `/v1/vector_stores?after=${canaries.plant('up: cursor')}&password=${canaries.plant('query password')}`;
  await gateway.send('200 pass-through', 'GET', stores, { headers, shows });
  await disconnectMidStream(gateway, key);
}

async function disconnectMidStream(gateway: WatchedGateway, key: string): Promise<void> {
  const { canaries, process, upstream } = gateway;
  const abort = new AbortController();
  const response = await fetch(process.url + CHAT, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(chatOf(canaries.plant('up: disconnected in mid-stream'), { stream: true, user: 'held' })),
    signal: abort.signal,
  });
  await response.body!.getReader().read();
  abort.abort();
  await upstream.requests.at(-1)!.gone;
}

async function refused(gateway: WatchedGateway, { caller, small, rotatedOut, revoked }: CallerKeys): Promise<void> {
  const { canaries, port } = gateway;
  const body = chatOf(canaries.plant('content refused'));
  const asked = (name: string, authorization: string, more: Record<string, string> = {}) =>
    gateway.send(name, 'POST', CHAT, { headers: { authorization, ...more }, body });
  await asked('401 mistyped', `Bearer ${caller.slice(0, -1)}${caller.endsWith('x') ? 'y' : 'x'}`);
  await asked('401 made up', `Bearer sk-${canaries.plant('a made-up key')}`);
  await asked('401 rotated out', `Bearer ${rotatedOut}`);
  await asked('403 revoked', `Bearer ${revoked}`);
  const basic = Buffer.from(`user:${canaries.plant('a basic password')}`).toString('base64');
  await asked('401 basic', `Basic ${basic}`);
  await asked('401 two tokens', `Bearer ${canaries.plant('a first token')}, ${canaries.plant('a second token')}`);
  await asked('401 no scheme', canaries.plant('a bare token'), { 'x-api-key': canaries.plant('a bare key') });
  await gateway.send('200 small', 'POST', CHAT, { headers: bearer(small), body: chatOf('x'), shows: [CONTENT] });
  await asked('429 small', `Bearer ${small}`);
  const headers = bearer(caller);
  await gateway.send('400 body', 'POST', CHAT, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: `{"${canaries.plant('broken JSON')}`,
  });
  const wrong = { temperature: canaries.plant('a wrong type'), tool_choice: canaries.plant('a wrong value') };
  await gateway.send('400 field', 'POST', CHAT, { headers, body: { ...body, ...wrong } });
  for (const [what, pasted] of [
    ['its key', caller],
    ['an admin key', gateway.secrets.adminKey],
  ] as const)
    await gateway.send(`403 ${what} as model`, 'POST', CHAT, { headers, body: { ...body, model: pasted } });
  await gateway.send('404 path', 'GET', `/v1/${canaries.plant('a path')}?key=${canaries.plant('a query')}`, {
    headers,
    // The message names the path, so that operators can find a wrong base URL.
    shows: ['a path'],
  });
  await gateway.send('404 outside', 'GET', `/${caller}?token=${caller}`, { headers: { cookie: caller } });
  const wire = (name: string, bytes: string) =>
    Wire.once(port, bytes).then(({ status, text, headers: head }) =>
      gateway.record({ name, status, text, headers: new Headers(head), shows: [] }),
    );
  await wire(
    '400 malformed HTTP',
    `GET /${canaries.plant('broken path')} HTTP/1.1\r\nHost g\r\n${bearer(caller).authorization}\r\n\r\n`,
  );
  await wire('431 long head', chatHead(caller, `X-Long: ${canaries.plant('a long header').repeat(2000)}`));
}

async function failed(gateway: WatchedGateway, key: string): Promise<void> {
  const { canaries, upstream } = gateway;
  const headers = bearer(key);
  for (const user of ['refused', 'cut', 'nonsense'])
    for (const stream of [false, true]) {
      const body = chatOf(canaries.plant(`up: ${user} ${stream}`), { user, stream });
      await gateway.send(`502 ${user}`, 'POST', CHAT, { headers, body });
    }
  const model = 'claude-3-5-sonnet-20241022';
  const body = chatOf('x', { model, max_tokens: 5, stop_sequences: ['refused'] });
  await gateway.send('502 message', 'POST', '/v1/messages', { headers, body });
  upstream.on('GET', '/v1/models', echoCredentials);
  await gateway.admin('200 purge', 'POST', '/cache/purge');
  await gateway.send('200 models', 'GET', '/v1/models', { headers });
}

/** Sends a request while the upstream refuses connections. */
export async function callWithoutUpstream(gateway: WatchedGateway, key: string): Promise<void> {
  await gateway.upstream.stop();
  const body = chatOf(gateway.canaries.plant('content without upstream'));
  await gateway.send('502 no upstream', 'POST', CHAT, { headers: bearer(key), body });
}

function formOf(fields: Record<string, string>, content: string): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n${content}\r\n--b--\r\n`;
  return parts.join('') + file;
}
