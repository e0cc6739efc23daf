import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceivedRequest } from '../../../sandbox/src/scripted/received-request.js';
import type { Reply } from '../../../sandbox/src/scripted/reply.js';
import { ScriptedProvider } from '../../../sandbox/src/scripted/scripted-provider.js';
import { CHAT_USAGE, chatCompletion, chatStream, MODEL_LIST } from '../../support/scripted-upstream-responses.js';
import { Dice } from '../../fuzz/dice.js';
import { SEED } from '../../fuzz/fuzz.js';
import { mutateBytes } from '../../fuzz/mutate.js';

interface Seen {
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  readonly target: string;
  /** The body of a complete 200 response, otherwise null. */
  answered: Buffer | null;
  cut: boolean;
}

const STREAM = Buffer.from(chatStream('gpt-4o-mini', true).join(''));
const CHAT = { ...chatCompletion('gpt-4o-mini'), usage: CHAT_USAGE, object: 'list', data: [] };
const RESPONSE = Buffer.from(JSON.stringify(CHAT));

/** A provider whose response depends on the case number: valid, mutated, an error or truncated. */
export class CaseUpstream {
  /** By the number in `Idempotency-Key`. A test deletes each entry that it has checked. */
  readonly seen = new Map<number, Seen>();
  readonly met = new Set<number>();
  readonly repeated: number[] = [];
  private provider!: ScriptedProvider;

  async start(): Promise<string> {
    this.provider = await ScriptedProvider.start({
      script: (...exchange) => this.response(...exchange),
      records: false,
    });
    return this.provider.url;
  }

  stop(): Promise<void> {
    return this.provider.stop();
  }

  private response(request: ReceivedRequest, response: ServerResponse): Reply | void {
    const number = Number(/^case-(\d+)$/.exec(request.header('idempotency-key') ?? '')?.[1]);
    // The gateway's own requests, such as catalog fetches and probes.
    if (Number.isNaN(number)) return { body: request.method === 'GET' ? MODEL_LIST : CHAT };
    if (this.met.has(number)) this.repeated.push(number);
    this.met.add(number);
    const { body, path: target, incoming } = request;
    const seen: Seen = { body, headers: incoming.headers, target, answered: null, cut: false };
    this.seen.set(number, seen);
    return respondBy(new Dice(SEED, number), seen, response);
  }
}

function respondBy(dice: Dice, seen: Seen, response: ServerResponse): Reply | void {
  const streamed = seen.body.includes('"stream":true');
  const bytes = streamed ? STREAM : RESPONSE;
  const type = { 'content-type': streamed ? 'text/event-stream' : 'application/json' };
  const sent = dice.oneIn(3) ? mutateBytes(dice, bytes) : bytes;
  switch (dice.int(12)) {
    case 0:
      return void response.writeHead(300 + dice.int(300), type).end(sent);
    case 1:
      seen.cut = true;
      if (dice.oneIn(2)) return void response.destroy();
      return {
        headers: { ...type, 'content-length': sent.length + 10 },
        chunks: [sent.subarray(0, sent.length >> 1)],
        end: 'close',
      };
    default:
      seen.answered = sent;
      return { headers: { ...type, 'x-request-id': 'req_upstream', 'set-cookie': 'a=b' }, chunks: pieces(dice, sent) };
  }
}

function pieces(dice: Dice, bytes: Buffer): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + dice.int(400));
    cut.push(bytes.subarray(at, end));
    at = end;
  }
  return cut;
}
