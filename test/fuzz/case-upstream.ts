import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHAT_USAGE, chatCompletion, chatStream, MODELS } from '../support/scripted-upstream-answers.js';
import { Dice } from './dice.js';
import { SEED } from './fuzz.js';
import { mutateBytes } from './mutate.js';

/** What the upstream has seen of one case, and what it did. */
interface Seen {
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  readonly target: string;
  /** Sent as an answer of 2xx; null: none, or one that was broken off. */
  answered: Buffer | null;
  cut: boolean;
}

const STREAM = Buffer.from(chatStream('gpt-4o-mini', true).join(''));
const ANSWER = Buffer.from(
  JSON.stringify({ ...chatCompletion('gpt-4o-mini'), usage: CHAT_USAGE, object: 'list', data: [] }),
);
const LIST = JSON.stringify({
  object: 'list',
  data: MODELS.map((model) => ({ ...model, object: 'model', created: 1 })),
});

/** A provider that answers each case as its number says: well, in nonsense, with a refusal, or not to the end. */
export class CaseUpstream {
  /** By the number in `Idempotency-Key`; whoever has looked at one takes it out. */
  readonly seen = new Map<number, Seen>();
  /** Numbers of all cases that came. */
  readonly met = new Set<number>();
  /** Cases that came a second time. */
  readonly repeated: number[] = [];
  private readonly server: Server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => this.answer(request, Buffer.concat(chunks), response));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const number = /^case-(\d+)$/.exec(String(request.headers['idempotency-key']))?.[1];
    if (number === undefined) {
      // The gateway's own: its catalog, its probes.
      response.writeHead(200, { 'content-type': 'application/json' }).end(request.method === 'GET' ? LIST : ANSWER);
      return;
    }
    if (this.met.has(Number(number))) this.repeated.push(Number(number));
    this.met.add(Number(number));
    const seen: Seen = { body, headers: request.headers, target: request.url ?? '', answered: null, cut: false };
    this.seen.set(Number(number), seen);
    answerBy(new Dice(SEED, Number(number)), seen, response);
  }
}

function answerBy(dice: Dice, seen: Seen, response: ServerResponse): void {
  const streamed = seen.body.includes('"stream":true');
  const bytes = streamed ? STREAM : ANSWER;
  const type = streamed ? 'text/event-stream' : 'application/json';
  const sent = dice.oneIn(3) ? mutateBytes(dice, bytes) : bytes;
  switch (dice.int(12)) {
    case 0:
      response.writeHead(300 + dice.int(300), { 'content-type': type }).end(sent);
      return;
    case 1:
      seen.cut = true;
      if (dice.oneIn(2)) return void response.destroy();
      response.writeHead(200, { 'content-type': type, 'content-length': sent.length + 10 });
      response.write(sent.subarray(0, sent.length >> 1), () => response.destroy());
      return;
    default:
      seen.answered = sent;
      response.writeHead(200, { 'content-type': type, 'x-request-id': 'req_upstream', 'set-cookie': 'a=b' });
      for (let at = 0; at < sent.length;) {
        const end = Math.min(sent.length, at + 1 + dice.int(400));
        response.write(sent.subarray(at, end));
        at = end;
      }
      response.end();
  }
}
