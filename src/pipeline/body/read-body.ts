import type { IncomingMessage } from 'node:http';
import { requestTimeout, requestTooLarge } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';
import { BodyPieces } from '../../request-context/body-pieces.js';
import { brokenBefore, brokenBy, endedEarly } from '../../http-server/broken-body.js';

interface BodyBounds {
  readonly bytesMax: number;
  /** Between two pieces (408); while the gateway itself waits for memory, no time passes. */
  readonly idleTimeoutMs: number;
  /** Takes memory for a piece; a promise where it has to be waited for. */
  readonly memory: { take(bytes: number): Promise<void> | undefined };
  /** Called once, just before the promise settles. */
  readonly onOver: () => void;
}

/**
 * Reads a whole request body. What was read when it fails stays unread by others: the rest is left in the request.
 * By `data` events: an async iterator that throws would destroy the socket and lose the answer.
 * @throws GatewayError `request_too_large` as soon as the bound is passed, `request_timeout`, `service_unavailable`,
 *   `bad_request` when the client goes away or breaks its framing
 */
export function readBody(req: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces();
    let bytes = 0;
    let over = false;
    const startIdling = () => setTimeout(() => finish(requestTimeout()), bounds.idleTimeoutMs);
    // A body that came with its head needs no timer: that is most of them.
    let idle = req.complete ? undefined : startIdling();

    function finish(error: GatewayError | null): void {
      if (over) return;
      over = true;
      clearTimeout(idle);
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      bounds.onOver();
      if (error === null) return resolve(pieces.whole());
      req.pause();
      reject(error);
    }
    function onData(chunk: Buffer): void {
      idle?.refresh();
      bytes += chunk.length;
      if (bytes > bounds.bytesMax) return finish(requestTooLarge(bounds.bytesMax));
      const wait = bounds.memory.take(chunk.length);
      pieces.push(chunk);
      if (wait === undefined) return;
      req.pause();
      clearTimeout(idle);
      wait.then(readOn, finish);
    }
    function readOn(): void {
      if (over) return;
      idle = startIdling();
      req.resume();
    }
    const onEnd = () => finish(null);
    const onClose = () => finish(endedEarly());
    const onError = (error: Error) => finish(brokenBy(error));

    const broken = brokenBefore(req);
    if (broken !== undefined) return finish(broken);
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}
