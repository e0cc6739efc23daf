import type { Socket } from 'node:net';
import { RawProvider } from '../../sandbox/src/scripted/raw-provider.js';
import type { RawRequest } from '../../sandbox/src/scripted/raw-request.js';
import { MODEL_LIST } from '../support/scripted-upstream-answers.js';

/** What the bytes of an answer are made of, buffered or streamed: a fault is then one function for both. */
export interface AnswerForm {
  readonly type: string;
  readonly body: Buffer;
}

/** What is done with the connection of one request, in place of an answer. */
export type Misdeed = (socket: Socket, form: AnswerForm) => void;

const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const COMPLETION = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage: USAGE,
};
const CHUNKS = [{ choices: [{ index: 0, delta: { content: 'Hello there.' } }] }, { choices: [], usage: USAGE }];

/** Whole answers, each with a usage report of 9 and 3 tokens. */
export const FORMS: Readonly<Record<'buffered' | 'streamed', AnswerForm>> = {
  buffered: { type: 'application/json', body: Buffer.from(JSON.stringify(COMPLETION)) },
  streamed: {
    type: 'text/event-stream',
    body: Buffer.from([...CHUNKS.map((data) => JSON.stringify(data)), '[DONE]'].map((d) => `data: ${d}\n\n`).join('')),
  },
};

const LIST: AnswerForm = { type: 'application/json', body: Buffer.from(JSON.stringify(MODEL_LIST)) };

/** A proper answer, its connection kept. */
const answerWell = (socket: Socket, { type, body }: AnswerForm): void =>
  void socket.write(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
    ]),
  );

/**
 * A provider at the level of its socket: serves the model list and chat completions over kept-alive connections, and meets
 * each chat request with `misdeed` while there is one.
 */
export class FaultyUpstream {
  misdeed: Misdeed | null = null;
  /** The misdeed is done as soon as a head has arrived, before the body has. */
  atTheHead = false;
  /** New connections are reset before a byte is read. */
  resetsOnAccept = false;
  /** Chat requests that were answered. */
  chats = 0;
  private provider!: RawProvider;

  static async start(): Promise<FaultyUpstream> {
    const upstream = new FaultyUpstream();
    upstream.provider = await RawProvider.start({
      onConnection: (socket) => (upstream.resetsOnAccept ? void socket.resetAndDestroy() : undefined),
      onHead: (request, socket) => {
        if (!isChat(request) || !upstream.atTheHead || upstream.misdeed === null) return false;
        upstream.answer(request, socket);
        return true;
      },
      onRequest: (request, socket) => upstream.answer(request, socket),
    });
    return upstream;
  }

  get url(): string {
    return this.provider.url;
  }

  /** Accepts connections, at the same port again after `down`. */
  up(): Promise<void> {
    return this.provider.restart();
  }

  /** Refuses new connections and ends the open ones. */
  down(): Promise<void> {
    return this.provider.stop();
  }

  private answer(request: RawRequest, socket: Socket): void {
    if (!isChat(request)) return answerWell(socket, LIST);
    this.chats += 1;
    const form = FORMS[request.edges.includes('"stream":true') ? 'streamed' : 'buffered'];
    (this.misdeed ?? answerWell)(socket, form);
  }
}

const isChat = ({ method }: RawRequest): boolean => method === 'POST';
