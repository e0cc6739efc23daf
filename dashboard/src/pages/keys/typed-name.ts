import type { ApiKey } from './key-types';

/**
 * Returns the text to type as confirmation. Removes line breaks and extra whitespace from the name, because the operator cannot
 * see them.
 */
export function typedName({ name, key_hint }: Pick<ApiKey, 'name' | 'key_hint'>): string {
  const visible = name.trim().replace(/\s+/gu, ' ');
  return visible === '' ? key_hint.slice(-4) : visible;
}
