// A flat list of lower-case names and values, as undici and Node take it.

export function hasName(flat: readonly string[], name: string): boolean {
  for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return true;
  return false;
}

/** undici and Node throw on all other values. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
