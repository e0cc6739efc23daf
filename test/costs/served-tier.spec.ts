import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poll } from '../support/poll.js';
import { PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';

const PATH = '/v1/chat/completions';
const REPORT = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } };
/** 10 × $1,000 and 5 × $2,000 per million. */
const STANDARD = '20000000';
const PRIORITY = '40000000';

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start({ GW_PROFILE: 'current' });
});
afterAll(() => pricing.stop());
beforeEach(async () => {
  await pricing.reset();
  await pricing.setPrice({ factors: [{ service_tier: 'priority', multiplier: '2' }] });
});

describe.each([false, true])('a request for the tier priority (stream: %s)', (stream) => {
  test.each([
    ['standard', STANDARD],
    ['priority', PRIORITY],
    [undefined, PRIORITY],
  ])('has the price of the tier that the header x-gemini-service-tier states: %s', async (tier, nanos) => {
    pricing.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, {
        'content-type': stream ? 'text/event-stream' : 'application/json',
        ...(tier !== undefined && { 'x-gemini-service-tier': tier }),
      });
      const json = JSON.stringify(REPORT);
      response.end(stream ? `data: ${json}\n\ndata: [DONE]\n\n` : json);
    });
    const body = { model: UNPRICED_MODEL, service_tier: 'priority', stream };
    expect((await pricing.gateway.chat(pricing.key, body)).status).toBe(200);
    await poll(() => pricing.totals()).toEqual({ requests: '1', unpriced: '0', nanos });
  });
});
