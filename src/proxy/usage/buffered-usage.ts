import { isSpace, isString, skipSpace, startOfString } from './json-scan.js';
import { reportAt, type UsageReport, type UsageShape } from './usage-report.js';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/**
 * The report of a whole JSON answer, looked for from its end, where providers put it: what stands before it is not read.
 * So the last part of an answer too long to be held will do. A body that lacks the report's name costs one native search.
 * What is no JSON object has no report.
 */
export function bufferedReport(body: Buffer, shapes: readonly UsageShape[]): UsageReport | null {
  for (const shape of shapes) {
    if (body.lastIndexOf(`"${shape.member}"`) === -1) continue;
    const at = lastMemberAt(body, shape.member);
    const report = at === -1 ? null : reportAt(body, at, shape);
    if (report !== null) return report;
  }
  return null;
}

/**
 * Where the value of the outermost object's member begins; -1: it has none. Of several equal names the last, as JSON.parse does.
 * JSON is as unambiguous from its end as from its beginning: a quote within a string has a backslash before it, and there are
 * no backslashes outside strings. So nothing that this cannot read would parse.
 */
function lastMemberAt(body: Buffer, name: string): number {
  let at = body.length - 1;
  while (at >= 0 && isSpace(body[at] as number)) at--;
  if (body[at] !== CLOSE_BRACE) return -1;
  let depth = 0;
  for (; at >= 0; at--) {
    const byte = body[at];
    if (byte === QUOTE) {
      const start = startOfString(body, at);
      if (start === -1) return -1;
      if (depth === 1 && isString(body, start, at + 1, name)) {
        const colon = skipSpace(body, at + 1);
        if (body[colon] === COLON) return skipSpace(body, colon + 1);
      }
      at = start;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth--;
      if (depth === 0) return -1;
    }
  }
  return -1;
}
