/** What undici and Node take as a header's value; anything else they throw at. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a flat list of lower-case names and values has this name; its values are not looked at. */
export function hasName(flat: readonly string[], name: string): boolean {
  for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return true;
  return false;
}
