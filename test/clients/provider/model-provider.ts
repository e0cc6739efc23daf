import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../../../sandbox/src/scripted/received-request.js';
import { type Reply as HttpReply, sendReply } from '../../../sandbox/src/scripted/reply.js';
import { ScriptedProvider } from '../../../sandbox/src/scripted/scripted-provider.js';
import { encodeChat } from './chat-wire.js';
import { encodeMessage } from './messages-wire.js';
import { encodeResponse } from './responses-wire.js';
import { turnOf, type Reply, type Turn, type Usage } from './turn.js';

/** A request that the provider received, and the status of its response. */
export interface Exchange {
  /** Method and path without the query, e.g. `POST /v1/messages`. */
  readonly route: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly turn: Turn | undefined;
  readonly status: number;
  readonly atMs: number;
}

const MODELS = ['gpt-6-astra', 'gpt-5.5', 'claude-sonnet-5-5', 'claude-haiku-4-5', 'qwen3-coder-plus', 'gpt-4o'];
const ENCODERS = { chat: encodeChat, messages: encodeMessage, responses: encodeResponse };

/** A provider with the chat, responses and messages APIs that responds to each turn with a script. */
export class ModelProvider {
  readonly exchanges: Exchange[] = [];
  /** Sum of the usage that the provider reported. */
  reported: Usage = { input: 0, output: 0 };
  script: (turn: Turn) => Reply = () => ({ kind: 'text', text: 'Hello.' });
  private server!: ScriptedProvider;

  static async start(): Promise<ModelProvider> {
    const provider = new ModelProvider();
    provider.server = await ScriptedProvider.start({
      script: (request, response) => provider.response(request, response),
      records: false,
    });
    return provider;
  }

  /** Ends in `/v1`. */
  get url(): string {
    return this.server.url;
  }

  get turns(): readonly Turn[] {
    return this.exchanges.flatMap(({ turn }) => turn ?? []);
  }

  reset(): void {
    this.exchanges.length = 0;
    this.reported = { input: 0, output: 0 };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async response({ route, incoming, body: bytes }: ReceivedRequest, response: ServerResponse): Promise<void> {
    const body = bytes.toString();
    const turn = turnOf(route, body);
    const reply = turn === undefined ? otherReply(route) : this.replyTo(turn);
    const { status = 200 } = reply;
    const sent = sendReply(response, reply);
    this.exchanges.push({ route, headers: incoming.headers, body, turn, status, atMs: performance.now() });
    await sent;
  }

  private replyTo(turn: Turn): HttpReply {
    const reply = this.script(turn);
    if (reply.kind === 'error') return { status: reply.status, body: reply.body, headers: reply.headers };
    const usage = { input: reply.inputTokens ?? 1_000 + this.exchanges.length, output: 10 + this.exchanges.length };
    this.reported = { input: this.reported.input + usage.input, output: this.reported.output + usage.output };
    const { json, events } = ENCODERS[turn.api](turn, reply, usage);
    if (!turn.streamed) return { body: json };
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
    return { headers, chunks: events };
  }
}

function otherReply(route: string): HttpReply {
  if (route === 'GET /v1/models') return { body: { object: 'list', data: MODELS.map(modelEntry) } };
  if (route === 'POST /v1/messages/count_tokens') return { body: { input_tokens: 1_234 } };
  return {
    status: 404,
    body: { error: { message: `Unknown request URL: ${route}`, type: 'invalid_request_error' } },
  };
}

function modelEntry(id: string): object {
  const owned_by = id.startsWith('claude') ? 'anthropic' : id.startsWith('gpt') ? 'openai' : 'alibaba';
  return { id, object: 'model', created: 1_790_000_000, owned_by };
}
