interface OpenValue {
  /** Null for an array. */
  readonly names: readonly string[] | null;
  readonly value: Readonly<Record<string | number, unknown>>;
  /** The number of elements or fields. */
  readonly length: number;
  /** The index of the next element or field. */
  next: number;
}

/**
 * Returns the beginning of the text that `JSON.stringify` writes for a parsed value. That function overflows the stack for a deep value,
 * and copies a long one. Strings and names of more than `lengthMax` characters are shortened too.
 */
export function jsonBeginning(value: unknown, lengthMax: number): string {
  const open: OpenValue[] = [];
  let text = beginValue(value, open, lengthMax);
  for (let last = open.at(-1); last !== undefined && text.length < lengthMax; last = open.at(-1)) {
    const { names, next, length } = last;
    if (next === length) {
      text += names === null ? ']' : '}';
      open.pop();
      continue;
    }
    last.next += 1;
    if (next > 0) text += ',';
    const name = names === null ? next : names[next]!;
    if (names !== null) text += `${shortText(names[next]!, lengthMax)}:`;
    text += beginValue(last.value[name], open, lengthMax);
  }
  return text.slice(0, lengthMax);
}

function beginValue(value: unknown, open: OpenValue[], lengthMax: number): string {
  if (typeof value === 'string') return shortText(value, lengthMax);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const names = Array.isArray(value) ? null : Object.keys(value);
  const length = Array.isArray(value) ? value.length : names!.length;
  open.push({ names, value: value as OpenValue['value'], length, next: 0 });
  return names === null ? '[' : '{';
}

const shortText = (text: string, lengthMax: number): string => JSON.stringify(text.slice(0, lengthMax));
