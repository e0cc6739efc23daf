import type { ApiKey } from './key-types';

/** Returns the text to type as confirmation, without line breaks and extra whitespace, which the operator cannot see. */
export function typedName({ name, key_hint }: Pick<ApiKey, 'name' | 'key_hint'>): string {
  const visible = name.trim().replace(/\s+/gu, ' ');
  return visible === '' ? key_hint.slice(-4) : visible;
}
