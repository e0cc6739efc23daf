// Each client behavior is one request: the provider's reply, when the client disconnects, and how it reads.

/**
 * `expects` lists the possible statuses. It is empty if the client disconnects before the response headers. `share` is a
 * relative frequency.
 */
const BEHAVIOURS = [
  { name: 'buffered', share: 30, wants: 'small', expects: [200] },
  { name: 'large response', share: 3, wants: 'large', expects: [200] },
  { name: 'stream', share: 12, wants: 'stream', expects: [200] },
  { name: 'large request', share: 3, wants: 'small', bodyBytes: 500_000, expects: [200] },
  {
    name: 'slow reader of a stream',
    share: 2,
    wants: 'fast-stream',
    readEachMs: 5,
    leaveAfterMs: 2000,
    expects: [200],
  },
  { name: 'slow reader of a response', share: 2, wants: 'large', readEachMs: 5, expects: [200] },
  { name: 'leaves within the request headers', share: 4, wants: 'small', leave: 'in-head', expects: [] },
  {
    name: 'leaves within the request body',
    share: 4,
    wants: 'small',
    bodyBytes: 200_000,
    leave: 'in-body',
    expects: [],
  },
  { name: 'leaves right after the request', share: 6, wants: 'late', leave: 'asked', expects: [] },
  { name: 'leaves while waiting', share: 6, wants: 'late', leaveAfterMs: 100, expects: [] },
  { name: 'leaves within a response', share: 3, wants: 'large', leave: 'first-bytes', expects: [200] },
  { name: 'leaves within a stream', share: 6, wants: 'long-stream', leave: 'first-bytes', expects: [200] },
  { name: 'resets within a stream', share: 6, wants: 'long-stream', leave: 'first-bytes', reset: true, expects: [200] },
  { name: 'leaves a fast stream', share: 2, wants: 'fast-stream', leaveAfterMs: 50, expects: [200] },
  { name: 'provider returns an error', share: 4, wants: 'error', expects: [502] },
  { name: 'provider returns a rate limit', share: 2, wants: 'limited', expects: [429, 502] },
  { name: 'provider returns HTML', share: 2, wants: 'no-json', expects: [502] },
  { name: 'provider closes', share: 3, wants: 'closes', expects: [502] },
  { name: 'provider resets', share: 3, wants: 'resets', expects: [502] },
  { name: 'provider resets within a response', share: 3, wants: 'resets-answer', cut: true, expects: [200, 502] },
  { name: 'provider resets within a stream', share: 4, wants: 'resets-stream', cut: true, expects: [200] },
  { name: 'provider ends a stream early', share: 3, wants: 'ends-stream-early', cut: true, expects: [200] },
  { name: 'invalid body', share: 3, wants: 'small', fields: { temperature: 'hot' }, expects: [400] },
  { name: 'unknown key', share: 3, wants: 'small', key: 'sk-gw-unknown', expects: [401] },
];

const ALL = BEHAVIOURS.flatMap((behaviour) => Array.from({ length: behaviour.share }, () => behaviour));

export const anyBehaviour = () => ALL[Math.floor(Math.random() * ALL.length)];

export function admittedByClients(tally) {
  const bounds = { least: 0, most: 0 };
  for (const { name, expects, leave } of BEHAVIOURS) {
    const { sent = 0, answered = 0 } = tally.get(name) ?? {};
    if (expects.includes(401) || leave === 'in-head' || leave === 'in-body') continue;
    bounds.least += answered;
    bounds.most += sent;
  }
  return bounds;
}

/** Returns the headers and the body of a request separately, because a client can disconnect between them. */
export function requestOf({ wants, bodyBytes = 100, fields = {}, key: other }, key) {
  const stream = wants.includes('stream');
  const message = { role: 'user', content: 'x'.repeat(bodyBytes) };
  const body = JSON.stringify({ user: wants, model: 'gpt-4o-mini', stream, messages: [message], ...fields });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `authorization: Bearer ${other ?? key}`,
    `content-length: ${body.length}`,
    '\r\n',
  ];
  return { head: head.join('\r\n'), body };
}
