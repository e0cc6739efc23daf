import type { Reply } from '../scripted/reply.js';
import type { SandboxAnswer } from './answer.js';

const PAUSE_MS_MIN = 5;
const PAUSE_MS_STEPS = 16;

/** The answer of a route as a response. Frames of a stream have pauses of 5 to 20 ms, so that a person sees it stream. */
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

/** Uneven, as a model's pauses are, and the same each time. */
function pauseMs(index: number): number {
  return PAUSE_MS_MIN + ((index * 7) % PAUSE_MS_STEPS);
}
