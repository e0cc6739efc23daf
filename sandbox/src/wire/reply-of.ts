import type { Reply } from '../scripted/reply.js';
import type { SandboxResponse } from './response.js';

const PAUSE_MS_MIN = 5;
const PAUSE_MS_STEPS = 16;

/** Turns a route's answer into an HTTP response. Streams pause 5 to 20 ms between frames, so that people see them. */
export function replyOf(response: SandboxResponse): Reply {
  switch (response.kind) {
    case 'json':
      return {
        status: response.status,
        headers: { 'content-type': 'application/json', ...response.headers },
        body: Buffer.from(JSON.stringify(response.body)),
      };
    case 'bytes':
      return {
        headers: {
          'content-type': response.contentType,
          ...(response.disposition === undefined ? {} : { 'content-disposition': response.disposition }),
        },
        body: response.bytes,
      };
    case 'events':
      return {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
        chunks: response.frames,
        pauseMs,
      };
    default:
      return response satisfies never;
  }
}

/** Varies like a model's pauses, but is the same for every response. */
function pauseMs(index: number): number {
  return PAUSE_MS_MIN + ((index * 7) % PAUSE_MS_STEPS);
}
