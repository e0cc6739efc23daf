import { invalidValue } from '../errors/catalogue.js';
import { CLOSE_BRACE, COMMA, CURLY, OPEN_BRACE, QUOTE } from './bytes.js';
import { endOfString, isSpace, stringAt } from './json-scan.js';

/** The place of one member of the outermost object: `body.subarray(start, end)` is `"name": value`, without spaces around it. */
export interface TopLevelMember {
  /** As a parser reads it, without escapes. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** No client repeats a member more often than this by mistake. */
const CUTS_MAX = 64;

/**
 * The members of the outermost object, in order, repeats included. Only the names are parsed.
 * @param body the text of a JSON object that `JSON.parse` has accepted
 */
export function* topLevelMembers(body: Buffer): Generator<TopLevelMember> {
  let depth = 0;
  let name: string | null = null;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) return;
      if (depth === 1 && name === null) {
        name = stringAt(body, at, end);
        start = at;
      }
      at = end - 1;
    } else if ((byte | CURLY) === OPEN_BRACE) depth++;
    else if ((byte | CURLY) === CLOSE_BRACE) depth--;
    if (name === null || !(depth === 0 || (depth === 1 && byte === COMMA))) continue;
    yield { name, start, end: withoutSpaces(body, at) };
    name = null;
  }
}

/** `end` moved back to after the last byte that is not a space. */
function withoutSpaces(body: Buffer, end: number): number {
  while (isSpace(body[end - 1]!)) end--;
  return end;
}

interface Cut {
  readonly member: TopLevelMember;
  /** The member before it, if any. */
  readonly before: TopLevelMember | null;
}

/**
 * `body` without the members `names` of its outermost object: every occurrence, escaped spellings included, each with one
 * comma. Every other byte stays as the client wrote it (D6). Returns `body` itself if there is nothing to remove.
 * @param body the text of a JSON object that `JSON.parse` has accepted
 * @throws GatewayError `invalid_value` if they occur more than 64 times, because each costs a piece of the body
 */
export function removeTopLevelMembers(body: Buffer, names: readonly string[]): Buffer {
  const cuts: Cut[] = [];
  let lastKept: TopLevelMember | null = null;
  let before: TopLevelMember | null = null;
  for (const member of topLevelMembers(body)) {
    if (!names.includes(member.name)) lastKept = member;
    else if (cuts.push({ member, before }) > CUTS_MAX) throw invalidValue(member.name, 'given once');
    before = member;
  }
  const pieces: Buffer[] = [];
  let from = 0;
  const cut = (start: number, end: number) => {
    pieces.push(body.subarray(from, start));
    from = end;
  };
  for (const { member, before } of cuts) {
    // After the last member that stays, the comma before the removed member goes; otherwise the comma after it.
    const staysBehind = lastKept !== null && lastKept.start > member.start;
    const comma = staysBehind ? commaAfter(body, member) : before && commaAfter(body, before);
    if (comma !== null && comma < member.start) cut(comma, comma + 1);
    cut(member.start, member.end);
    if (comma !== null && comma > member.start) cut(comma, comma + 1);
  }
  if (pieces.length === 0) return body;
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** There are only spaces between a member and its comma. */
const commaAfter = (body: Buffer, { end }: TopLevelMember): number => body.indexOf(COMMA, end);
