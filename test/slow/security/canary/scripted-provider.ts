import type { ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../../../../sandbox/src/scripted/received-request.js';
import type { Script } from '../../../../sandbox/src/scripted/scripted-provider.js';
import { chatCompletion, chatStream } from '../../../support/scripted-upstream-responses.js';
import type { ScriptedUpstream } from '../../../support/scripted-upstream.js';

/** Makes the provider return `content` on every route. The `user` of a chat request selects a failure. */
export function scriptProvider(upstream: ScriptedUpstream, content: string): void {
  const responses =
    (object: object): Script =>
    (_request, response) =>
      json(response, 200, object);
  upstream.on('POST', '/v1/chat/completions', (request, response) => {
    const { user } = request.json();
    if (user === 'refused') return echoCredentials(request, response);
    if (user === 'cut') return void response.destroy();
    if (user === 'nonsense') return void response.socket?.end(`HTTP/1.1 2OO ${content}\r\n\r\n`);
    if (user === 'streamed' || user === 'held') return stream(response, content, user === 'held');
    return json(response, 200, { ...chatCompletion('gpt-4o-mini'), system_fingerprint: content });
  });
  upstream.on('POST', '/v1/embeddings', responses({ object: 'list', data: [], note: content, usage: USAGE }));
  upstream.on('POST', '/v1/files', responses({ id: 'file-1', object: 'file', filename: content }));
  upstream.on('POST', '/v1/audio/transcriptions', responses({ text: content }));
  upstream.on('GET', '/v1/vector_stores', responses({ object: 'list', data: [], first_id: content }));
  upstream.on('POST', '/v1/messages', (request, response) =>
    request.json().stop_sequences === undefined
      ? json(response, 200, {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-3-5-sonnet-20241022',
          content: [{ type: 'text', text: content }],
          usage: USAGE,
        })
      : echoCredentials(request, response),
  );
}

const USAGE = { prompt_tokens: 1, total_tokens: 1, input_tokens: 1, output_tokens: 1 };

/** Mimics providers that repeat the rejected credential in the message, in other fields and in headers. */
export function echoCredentials(request: ReceivedRequest, response: ServerResponse): void {
  const credential = request.header('authorization') ?? request.header('x-api-key')!;
  const message = `Incorrect API key provided: ${credential}`;
  const headers = { 'www-authenticate': credential, 'set-cookie': `key=${credential}`, 'x-echo': credential };
  json(response, 401, { error: { message, type: credential, code: credential, param: credential } }, headers);
}

function stream(response: ServerResponse, content: string, held: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const [first, ...rest] = chatStream('gpt-4o-mini', true);
  response.write(first!.replace('"content":""', `"content":"${content}"`));
  if (!held) response.end(rest.join(''));
}

const json = (response: ServerResponse, status: number, object: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(object));
