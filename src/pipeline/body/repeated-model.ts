import { topLevelMembers } from '../../validation/top-level-members.js';

const MODEL = Buffer.from('"model');
/** Any letter of `model`, written as an escape. */
const ESCAPED_LETTER = Buffer.from('\\u006');

/**
 * Whether a JSON object that JSON.parse has taken holds a top-level member `name` (`model`, `models`) more than once,
 * also written with escapes: two parsers would read such a body differently (D29).
 * Walked only where `"model` stands more than once or an escape could spell it; most bodies pay two searches.
 */
export function repeatedModelMember(body: Buffer): 'model' | 'models' | null {
  const first = body.indexOf(MODEL);
  const again = first >= 0 && body.indexOf(MODEL, first + 1) >= 0;
  if (!again && !body.includes(ESCAPED_LETTER)) return null;
  const seen = new Set<string>();
  for (const { name } of topLevelMembers(body)) {
    if (name !== 'model' && name !== 'models') continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}
