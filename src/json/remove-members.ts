import { invalidValue } from '../errors/catalogue.js';
import { topLevelMembers, type TopLevelMember } from './top-level-members.js';

const COMMA = 0x2c;

interface Cut {
  readonly member: TopLevelMember;
  /** The one before it, if any. */
  readonly before: TopLevelMember | null;
}

/** No client repeats a member more often than this by mistake. */
const CUTS_MAX = 64;

/**
 * `body` without the members `names` of its outermost object, every occurrence of them, escaped spellings included. With
 * each goes one comma; every other byte stays as the client wrote it (D6). `body` itself where there is nothing to cut.
 * @param body a JSON object that `JSON.parse` has taken
 * @throws GatewayError `invalid_value` where they stand there more than 64 times: each costs a piece of the body
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
    // Behind the last member that stays it is the comma before that has to go, else the one after.
    const staysBehind = lastKept !== null && lastKept.start > member.start;
    const comma = staysBehind ? commaBehind(body, member) : before && commaBehind(body, before);
    if (comma !== null && comma < member.start) cut(comma, comma + 1);
    cut(member.start, member.end);
    if (comma !== null && comma > member.start) cut(comma, comma + 1);
  }
  if (pieces.length === 0) return body;
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** Only blanks stand between a member and its comma. */
const commaBehind = (body: Buffer, { end }: TopLevelMember): number => body.indexOf(COMMA, end);
