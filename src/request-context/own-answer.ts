import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutWhereUnread } from './unread-answer.js';
import { discardUnread } from './unread-body.js';

/**
 * Before each answer of the gateway's own, whoever writes it: what the client still sends is thrown away (D1), and a client
 * that takes nothing is not waited for (D22).
 * @param bytesMax of body that this request may have
 */
export function beforeOwnAnswer(req: IncomingMessage, res: ServerResponse, bytesMax: number): void {
  discardUnread(req, res, bytesMax);
  cutWhereUnread(res);
}
