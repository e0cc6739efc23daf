/** What can be told of a request id without asking the gateway. */

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
/** The gateway's own are of version 7: they begin with the time. */
const OWN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu;
/** How long a refused request that the sample missed is kept. */
const REFUSALS_DAYS = 7;
const DAY_MS = 86_400_000;
/** Two clocks are never quite the same. */
const AHEAD_MS = 60_000;

/** Takes what people paste: `"request_id": "0198…"`, a whole header line, an id with blanks around it. */
export function requestIdIn(text: string): string | null {
  const found = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/iu.exec(text);
  return found === null ? null : found[0].toLowerCase();
}

/** Why there is nothing under an id. */
export type Missing =
  { readonly why: 'notAnId' | 'foreign' } | { readonly why: 'ahead' | 'old' | 'recent'; readonly at: string };

export function whyMissing(id: string, nowMs = Date.now()): Missing {
  if (!UUID.test(id)) return { why: 'notAnId' };
  if (!OWN.test(id)) return { why: 'foreign' };
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return { why: 'foreign' };
  const at = date.toISOString();
  if (ms > nowMs + AHEAD_MS) return { why: 'ahead', at };
  return { why: nowMs - ms > REFUSALS_DAYS * DAY_MS ? 'old' : 'recent', at };
}
