import type { ApiKey } from './key-types';

/** What has to be typed for a key's name: an input holds no line breaks, and blanks that nobody sees cannot be asked for. */
export function typedName({ name, key_hint }: Pick<ApiKey, 'name' | 'key_hint'>): string {
  const visible = name.trim().replace(/\s+/gu, ' ');
  return visible === '' ? key_hint.slice(-4) : visible;
}
