import type { Socket } from 'node:net';
import { RawProvider } from '../../sandbox/src/scripted/raw-provider.js';
import type { RawRequest } from '../../sandbox/src/scripted/raw-request.js';
import { MODEL_LIST } from '../support/scripted-upstream-responses.js';

/** The content type and body of a response, so that one function can apply a fault to both kinds of response. */
export interface ResponseForm {
  readonly type: string;
  readonly body: Buffer;
}

/** Acts on the connection of one request instead of responding normally. */
export type Misbehavior = (socket: Socket, form: ResponseForm) => void;

const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage: USAGE,
};
const CHUNKS = [{ choices: [{ index: 0, delta: { content: 'Hello there.' } }] }, { choices: [], usage: USAGE }];

/** Complete responses, each with a usage report of 9 input and 3 output tokens. */
export const FORMS: Readonly<Record<'buffered' | 'streamed', ResponseForm>> = {
  buffered: { type: 'application/json', body: Buffer.from(JSON.stringify(COMPLETION)) },
  streamed: {
    type: 'text/event-stream',
    body: Buffer.from([...CHUNKS.map((data) => JSON.stringify(data)), '[DONE]'].map((d) => `data: ${d}\n\n`).join('')),
  },
};

const LIST: ResponseForm = { type: 'application/json', body: Buffer.from(JSON.stringify(MODEL_LIST)) };

const respondNormally = (socket: Socket, { type, body }: ResponseForm): void =>
  void socket.write(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
    ]),
  );

/**
 * A provider that works on raw sockets. It serves the model list and chat completions over keep-alive connections. While
 * `misbehave` is set, it handles each chat request with that function.
 */
export class FaultyUpstream {
  misbehave: Misbehavior | null = null;
  /** Misbehaves as soon as the request headers have arrived, before the body. */
  beforeBody = false;
  /** Resets new connections before it reads a byte. */
  resetsOnAccept = false;
  /** Number of chat requests that it has handled. */
  chats = 0;
  private provider!: RawProvider;

  static async start(): Promise<FaultyUpstream> {
    const upstream = new FaultyUpstream();
    upstream.provider = await RawProvider.start({
      onConnection: (socket) => (upstream.resetsOnAccept ? void socket.resetAndDestroy() : undefined),
      onHead: (request, socket) => {
        if (!isChat(request) || !upstream.beforeBody || upstream.misbehave === null) return false;
        upstream.respond(request, socket);
        return true;
      },
      onRequest: (request, socket) => upstream.respond(request, socket),
    });
    return upstream;
  }

  get url(): string {
    return this.provider.url;
  }

  /** Accepts connections on the same port as before `down`. */
  up(): Promise<void> {
    return this.provider.restart();
  }

  /** Refuses new connections and closes the open ones. */
  down(): Promise<void> {
    return this.provider.stop();
  }

  private respond(request: RawRequest, socket: Socket): void {
    if (!isChat(request)) return respondNormally(socket, LIST);
    this.chats += 1;
    const form = FORMS[request.edges.includes('"stream":true') ? 'streamed' : 'buffered'];
    (this.misbehave ?? respondNormally)(socket, form);
  }
}

const isChat = ({ method }: RawRequest): boolean => method === 'POST';
