import { timeOfRequestId } from '../../request-context/request-id.js';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** Of the years that ISO 8601 writes with four digits. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** When the request with this UUID began; null: the id is none that this gateway gives, so there is no such request. */
export function requestIdMoment(id: string): Date | null {
  if (!VERSION_7.test(id)) return null;
  const ms = timeOfRequestId(id);
  return ms <= LATEST_MS ? new Date(ms) : null;
}
