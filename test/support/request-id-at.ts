import { randomUUIDv7 } from 'node:crypto';

/** A request ID that was made at this time, in milliseconds since 1970. */
export function requestIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}
