import { CLOSE_BRACE, OPEN_BRACE } from '../../json/bytes.js';
import { removeTopLevelMembers } from '../../json/top-level-members.js';
import { skipSpace } from '../../json/json-scan.js';

/** Cut out: the chat body has `messages` of its own, and a second one would be a second reading of it (D29). */
const REPLACED = ['prompt', 'echo', 'messages'];

/**
 * The chat body that a completions body becomes (D10): `content` put in as the message of a user, where `prompt` and
 * `echo` are cut out. Every other byte stays as the client wrote it, so that a number keeps all its digits.
 * @param body a JSON object that `JSON.parse` has taken
 */
export function chatBody(body: Buffer, content: string): Buffer {
  const rest = removeTopLevelMembers(body, REPLACED);
  const inside = rest.indexOf(OPEN_BRACE) + 1;
  const comma = rest[skipSpace(rest, inside)] === CLOSE_BRACE ? '' : ',';
  const messages = JSON.stringify([{ role: 'user', content }]);
  return Buffer.concat([
    rest.subarray(0, inside),
    Buffer.from(`"messages":${messages}${comma}`),
    rest.subarray(inside),
  ]);
}

/** The one text that `prompt` stands for: entries are joined by an empty line, left out or null it is empty. */
export function promptText(prompt: string | readonly string[] | null | undefined): string {
  return typeof prompt === 'string' ? prompt : (prompt ?? []).join('\n\n');
}
