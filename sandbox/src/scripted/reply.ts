import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** A response as a value. */
export interface Reply {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent in one piece with its length. Objects are sent as JSON. */
  readonly body?: string | Buffer | object;
  /**
   * Sent one by one in place of `body`, no faster than the client reads. The iterator is returned early if the client
   * goes away.
   */
  readonly chunks?: Iterable<string | Buffer>;
  /**
   * Milliseconds before the chunk with this index, which is above 0. With 0 each chunk is written in a turn of the event
   * loop of its own, so that the client receives them one by one. Without it chunks are written at once.
   */
  readonly pauseMs?: number | ((index: number) => number);
  /** Milliseconds before the response. */
  readonly delayMs?: number;
  /** What follows the last chunk: the end of the response (the default), or a connection that closes or is reset. */
  readonly end?: 'complete' | 'close' | 'reset';
}

/** Sends a reply, unless the client has gone. Settles when the last byte was written or the client has gone. */
export async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.delayMs !== undefined) await pause(reply.delayMs);
  if (response.destroyed) return;
  if (reply.chunks === undefined) return sendBody(response, reply);
  response.writeHead(reply.status ?? 200, reply.headers);
  await sendChunks(response, reply.chunks, reply.pauseMs);
  if (reply.end === undefined || reply.end === 'complete') return void response.end();
  // Node writes the chunks of a turn at its end.
  await nextTurn();
  if (reply.end === 'close') response.destroy();
  else response.socket?.resetAndDestroy();
}

function sendBody(response: ServerResponse, { status = 200, headers, body }: Reply): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
  const bytes = isText ? body : JSON.stringify(body);
  const type = isText ? {} : { 'content-type': 'application/json' };
  const length = bytes === undefined ? {} : { 'content-length': Buffer.byteLength(bytes) };
  response.writeHead(status, { ...type, ...length, ...headers }).end(bytes);
}

async function sendChunks(
  response: ServerResponse,
  chunks: Iterable<string | Buffer>,
  pauseMs: Reply['pauseMs'],
): Promise<void> {
  const gone = new AbortController();
  let sent = 0;
  response.once('close', () => gone.abort());
  for (const chunk of chunks) {
    if (sent > 0 && pauseMs !== undefined) {
      const ms = typeof pauseMs === 'number' ? pauseMs : pauseMs(sent);
      const { signal } = gone;
      await (ms === 0 ? nextTurn(undefined, { signal }) : pause(ms, undefined, { signal })).catch(() => undefined);
    }
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
    sent += 1;
  }
}

/** Settles when the client has read what waits for it, or has gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
