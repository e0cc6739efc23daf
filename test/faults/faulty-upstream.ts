import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MODELS } from '../support/scripted-upstream-answers.js';

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

const MODEL_LIST: AnswerForm = {
  type: 'application/json',
  body: Buffer.from(JSON.stringify({ object: 'list', data: MODELS })),
};

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
  /** The misdeed is done as soon as a head has come, not when the body has. */
  atTheHead = false;
  /** New connections are reset before a byte is read. */
  resetsOnAccept = false;
  /** Chat requests whose head has come. */
  chats = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private port = 0;

  static async start(): Promise<FaultyUpstream> {
    const upstream = new FaultyUpstream();
    await upstream.up();
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Takes connections, at the same port again after `down`. */
  async up(): Promise<void> {
    const server = createServer((socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Refuses connections from now on, those that are open have ended. */
  async down(): Promise<void> {
    const { server } = this;
    const closed = new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.sockets.delete(socket));
    if (this.resetsOnAccept) return void socket.resetAndDestroy();
    let received: Buffer = Buffer.alloc(0);
    // Of the request at the beginning, which has been answered before its body had come.
    let early = false;
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const request = requestIn(received);
        if (request === null) return;
        const whole = received.length >= request.length;
        if (!early && (whole || (request.isChat && this.atTheHead && this.misdeed !== null))) {
          this.answer(request, received, socket);
          early = !whole;
        }
        if (!whole) return;
        early = false;
        received = received.subarray(request.length);
      }
    });
  }

  private answer({ isChat }: ReceivedHead, bytes: Buffer, socket: Socket): void {
    if (!isChat) return answerWell(socket, MODEL_LIST);
    this.chats += 1;
    const form = FORMS[bytes.includes('"stream":true') ? 'streamed' : 'buffered'];
    (this.misdeed ?? answerWell)(socket, form);
  }
}

interface ReceivedHead {
  readonly isChat: boolean;
  /** Of head and body. */
  readonly length: number;
}

/** The request at the beginning of `bytes`; null: its head is not there yet. */
function requestIn(bytes: Buffer): ReceivedHead | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const bodyLength = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return { isChat: head.startsWith('POST '), length: headEnd + 4 + bodyLength };
}
