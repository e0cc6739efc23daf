import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestGateway } from '../../support/gateway.js';
import { LimitCalls } from '../../support/limit-calls.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

test.each([
  ['concurrent requests', { measure: 'concurrent_requests', period: null, amount: 1 }],
  ['tokens', { measure: 'tokens', period: 'day', amount: 4000, reserve: 'full' }],
])(
  'a client that waits for each response is never rejected because of its own reservations of %s',
  async (_what, terms) => {
    const key = await gateway.createKey();
    await new LimitCalls(gateway, { scope: 'key', key_id: key.id }).create(terms);
    const statuses = [];
    for (let sent = 0; sent < 40; sent++) statuses.push((await gateway.chat(key, { max_tokens: 3000 })).status);
    expect(statuses).toEqual(Array(40).fill(200));
  },
);
