import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

export interface Reply {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent immediately, with its length. Objects are sent as JSON. */
  readonly body?: string | Buffer | object;
  /**
   * Sent one by one instead of `body`, no faster than the client reads. If the client disconnects, the iterator's `return`
   * method is called.
   */
  readonly chunks?: Iterable<string | Buffer>;
  /**
   * The pause in milliseconds before the chunk with this index, which is at least 1. With 0, each chunk is written in its own
   * turn of the event loop, so that the client receives them separately. By default, chunks are written without a pause.
   */
  readonly pauseMs?: number | ((index: number) => number);
  readonly delayMs?: number;
  /** The response ends normally after the last chunk (the default), or the connection is closed or reset. */
  readonly end?: 'complete' | 'close' | 'reset';
}

/** Sends a reply. Settles when the last byte is written or the client has disconnected. */
export async function sendReply(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.delayMs !== undefined) await pause(reply.delayMs);
  if (response.destroyed) return;
  if (reply.chunks === undefined) return sendBody(response, reply);
  response.writeHead(reply.status ?? 200, reply.headers);
  await sendChunks(response, reply.chunks, reply.pauseMs);
  if (reply.end === undefined || reply.end === 'complete') return void response.end();
  // Node flushes the chunks of a turn at the end of the turn.
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
