import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeChat } from './chat-wire.js';
import { encodeMessage } from './messages-wire.js';
import { encodeResponse } from './responses-wire.js';
import { turnOf, type Reply, type Turn, type Usage } from './turn.js';

/** A request as the provider received it, with its status. */
export interface Exchange {
  /** `POST /v1/messages`, without the query. */
  readonly route: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly turn: Turn | undefined;
  readonly status: number;
  readonly atMs: number;
}

const MODELS = ['gpt-6-astra', 'gpt-5.5', 'claude-sonnet-5-5', 'claude-haiku-4-5', 'qwen3-coder-plus', 'gpt-4o'];
const ENCODERS = { chat: encodeChat, messages: encodeMessage, responses: encodeResponse };

/** An HTTP server that speaks the chat, responses and messages APIs and answers as a script says. */
export class ScriptedProvider {
  readonly exchanges: Exchange[] = [];
  /** The sum of all usage that the provider has reported. */
  reported: Usage = { input: 0, output: 0 };
  /** Decides on the answer to a turn. */
  script: (turn: Turn) => Reply = () => ({ kind: 'text', text: 'Hello.' });

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<ScriptedProvider> {
    const server = createServer((req, res) => {
      void provider.answer(req, res);
    });
    const provider = new ScriptedProvider(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return provider;
  }

  /** With `/v1` at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get turns(): readonly Turn[] {
    return this.exchanges.flatMap(({ turn }) => turn ?? []);
  }

  reset(): void {
    this.exchanges.length = 0;
    this.reported = { input: 0, output: 0 };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const route = `${req.method} ${req.url?.split('?')[0]}`;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const turn = turnOf(route, body);
    const reply = turn && this.script(turn);
    if (turn === undefined || reply === undefined) this.answerOther(route, res);
    else if (reply.kind === 'error') sendJson(res, reply.status, reply.body, reply.headers);
    else this.answerTurn(turn, reply, res);
    this.exchanges.push({ route, headers: req.headers, body, turn, status: res.statusCode, atMs: performance.now() });
  }

  private answerTurn(turn: Turn, reply: Exclude<Reply, { kind: 'error' }>, res: ServerResponse): void {
    const usage = { input: reply.inputTokens ?? 1_000 + this.exchanges.length, output: 10 + this.exchanges.length };
    this.reported = { input: this.reported.input + usage.input, output: this.reported.output + usage.output };
    const { json, events } = ENCODERS[turn.api](turn, reply, usage);
    if (!turn.streamed) {
      sendJson(res, 200, json);
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    for (const event of events) res.write(event);
    res.end();
  }

  private answerOther(route: string, res: ServerResponse): void {
    if (route === 'GET /v1/models') sendJson(res, 200, { object: 'list', data: MODELS.map(modelEntry) });
    else if (route === 'POST /v1/messages/count_tokens') sendJson(res, 200, { input_tokens: 1_234 });
    else sendJson(res, 404, { error: { message: `Unknown request URL: ${route}`, type: 'invalid_request_error' } });
  }
}

function modelEntry(id: string): object {
  const owned_by = id.startsWith('claude') ? 'anthropic' : id.startsWith('gpt') ? 'openai' : 'alibaba';
  return { id, object: 'model', created: 1_790_000_000, owned_by };
}

function sendJson(res: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}
