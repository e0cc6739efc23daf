import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface ResponseParser {
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number;
}

const CONTINUE = 100;
const PROCESSING = 102;

subscribe('undici:client:connected', (message) => {
  const { socket } = message as { socket: Socket };
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  if (key !== undefined) skipContinue(Reflect.get(socket, key) as ResponseParser);
});

/**
 * Makes undici treat a 100 response as a 102. RFC 9110, 15.2 requires a client to skip every interim response.
 *
 * - Symptom: undici closes the connection at a 100, and the request fails.
 * - Issue: https://github.com/nodejs/undici/issues/197
 * - Benefit: requests succeed at upstreams that send a 100. Without the patch, each of them fails.
 * - Version test: `undici.spec.ts`
 */
function skipContinue(parser: ResponseParser): void {
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  const onHeadersUnlessContinue: ResponseParser['onHeadersComplete'] = (status, upgrade, keepAlive) =>
    onHeadersComplete(status === CONTINUE ? PROCESSING : status, upgrade, keepAlive);
  parser.onHeadersComplete = onHeadersUnlessContinue;
}
