import { describe, expect, test } from '@jest/globals';
import type { Key } from '../../../support/gateway.js';
import { RoutedGateway, respondsWith } from '../../../upstream/routing/routed-gateway.js';

const MODEL = 'gpt-4o-mini';
const CONVERSATIONS = 1_000;
const TURNS = 5;
const CLIENTS = 40;
/** A share of all conversations. The names are fixed, so the shares are the same in each run. */
const DEVIATION_MAX = 0.05;

/** The ways in which clients identify a conversation. Most send only its messages. */
const IDENTITIES = [
  () => ({}),
  () => ({}),
  (name: string) => ({ fields: { prompt_cache_key: name } }),
  (name: string) => ({ headers: { 'x-claude-code-session-id': name } }),
  (name: string) => ({ fields: { metadata: { user_id: name } } }),
] as const;

/** Sends one turn of each conversation, and returns the upstream of each. */
async function turnOf(routed: RoutedGateway, key: Key, turn: number): Promise<(string | null)[]> {
  const upstreams: (string | null)[] = Array.from({ length: CONVERSATIONS }, () => null);
  let next = 0;
  const client = async () => {
    for (let at = next++; at < CONVERSATIONS; at = next++) upstreams[at] = await upstreamOf(routed, key, at, turn);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return upstreams;
}

async function upstreamOf(routed: RoutedGateway, key: Key, conversation: number, turn: number): Promise<string | null> {
  const identity: { fields?: object; headers?: Record<string, string> } = IDENTITIES[conversation % IDENTITIES.length]!(
    `conversation ${conversation}`,
  );
  const earlier = Array.from({ length: turn }, (_, at) => [
    { role: 'assistant', content: `Answer ${at}` },
    { role: 'user', content: `Go on with ${at}` },
  ]);
  const messages = [
    { role: 'system', content: 'You are an assistant.' },
    { role: 'user', content: `Question ${conversation}` },
    ...earlier.flat(),
  ];
  const { headers = {} } = identity;
  const response = await routed.gateway.chat(key, { model: MODEL, messages, ...identity.fields }, { headers });
  return response.status === 200 ? response.headers.get('x-gw-upstream') : null;
}

describe.each([
  ['two', [1, 1]],
  ['three', [5, 3, 2]],
  ['five', [1, 1, 1, 1, 1]],
  ['eight', [4, 3, 2, 1, 1, 1, 2, 2]],
] as const)('1,000 conversations over %s upstreams', (_, weights) => {
  const names = weights.map((__, at) => `account-${at}`);

  test('stay together, and each upstream has its share of them', async () => {
    const routed = await RoutedGateway.start({
      upstreams: names.map((name) => ({ name, models: [MODEL] })),
      routes: [
        {
          models: MODEL,
          sticky: 'conversation',
          upstreams: names.map((name, at) => ({ name, weight: weights[at] })),
        },
      ],
    });
    const key = await routed.gateway.createKey();
    const first = await turnOf(routed, key, 0);
    for (let turn = 1; turn < TURNS; turn++) expect(await turnOf(routed, key, turn)).toEqual(first);

    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [at, name] of names.entries()) {
      const share = first.filter((upstream) => upstream === name).length / CONVERSATIONS;
      expect(Math.abs(share - weights[at]! / total)).toBeLessThan(DEVIATION_MAX);
    }

    // Only the conversations of an upstream that fails move.
    respondsWith(routed.provider(names[0]!), 401);
    const after = await turnOf(routed, key, TURNS);
    expect(after.map((upstream, at) => (first[at] === names[0] ? names[0] : upstream))).toEqual(first);
    expect(after.filter((upstream) => upstream === names[0] || upstream === null)).toEqual([]);
    await routed.stop();
  });
});
