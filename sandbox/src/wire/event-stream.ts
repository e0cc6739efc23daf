import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS_MIN = 5;
const PAUSE_MS_STEPS = 16;

/** One server-sent event without a name, as the vendor's chat streams carry them. */
export function dataEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** One with a name, as the answers have it whose events differ in kind. */
export function namedEvent(name: string, value: unknown): string {
  return `event: ${name}\n${dataEvent(value)}`;
}

export const DONE_EVENT = 'data: [DONE]\n\n';

/**
 * Writes the frames with a pause of 5 to 20 ms between two, so that a person sees them stream, then ends the answer.
 * When the client goes away it stops at once and returns the iterator. Never rejects for a client that has gone.
 */
export async function sendEvents(res: ServerResponse, frames: Iterable<string>): Promise<void> {
  const gone = new AbortController();
  let sent = 0;

  res.once('close', () => gone.abort());
  for (const frame of frames) {
    if (sent > 0) await pause(pauseMs(sent), undefined, { signal: gone.signal }).catch(() => undefined);
    if (res.destroyed) return;
    if (!res.write(frame)) await drained(res);
    sent += 1;
  }
  res.end();
}

/** Uneven, as a model's are, and the same each time. */
function pauseMs(index: number): number {
  return PAUSE_MS_MIN + ((index * 7) % PAUSE_MS_STEPS);
}

/** When the client has read what waits for it, or has gone. */
function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle);
      res.off('close', settle);
      resolve();
    };

    res.on('drain', settle);
    res.on('close', settle);
  });
}
