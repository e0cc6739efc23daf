import type { Reply } from '../scripted/reply.js';
import type { SandboxAnswer } from './answer.js';

const PAUSE_MS_MIN = 5;
const PAUSE_MS_STEPS = 16;

/** Turns a route's answer into an HTTP response. Streams pause 5 to 20 ms between frames, so that people see them. */
export function replyOf(answer: SandboxAnswer): Reply {
  switch (answer.kind) {
    case 'json':
      return {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...answer.headers },
        body: Buffer.from(JSON.stringify(answer.body)),
      };
    case 'bytes':
      return {
        headers: {
          'content-type': answer.contentType,
          ...(answer.disposition === undefined ? {} : { 'content-disposition': answer.disposition }),
        },
        body: answer.bytes,
      };
    case 'events':
      return {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
        chunks: answer.frames,
        pauseMs,
      };
    default:
      return answer satisfies never;
  }
}

/** Varies like a model's pauses, but is the same for every response. */
function pauseMs(index: number): number {
  return PAUSE_MS_MIN + ((index * 7) % PAUSE_MS_STEPS);
}
