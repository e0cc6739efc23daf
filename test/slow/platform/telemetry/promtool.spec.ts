import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';
import { lintedHere, lintMetrics } from '../../../support/promtool.js';

let metered: MeteredGateway;
let text: string;
beforeAll(async () => {
  metered = await startMetered();
  await metered.gateway.chat(await metered.gateway.createKey());
  ({ text } = await metered.scrapedUntil((now) => now.sum('gateway_requests_total') > 0));
});
afterAll(() => metered.stop());

test('promtool check metrics finds nothing in the metrics of the gateway and of Node', () => {
  expect(text).toContain('nodejs_active_handles_total');
  expect(lintMetrics(text)).toEqual([]);
  expect(lintedHere(text)).toEqual([]);
});

describe('the rules that replace promtool where it is not installed', () => {
  test.each([
    ['counter', 'a_things', '', 'a_things counter metrics should have "_total" suffix'],
    ['gauge', 'a_things_total', '', 'a_things_total non-counter metrics should not have "_total" suffix'],
    ['gauge', 'a_things', '{quantile="1"}', 'a_things non-summary metrics should not have "quantile" label'],
    ['gauge', 'a_things', '{le="1"}', 'a_things non-histogram metrics should not have "le" label'],
    ['gauge', 'aThings', '', "aThings metric names should be written in 'snake_case' not 'camelCase'"],
  ])('the rules find the problem of the %s %s%s', (type, name, labels, problem) => {
    const wrong = `# HELP ${name} Things\n# TYPE ${name} ${type}\n${name}${labels} 1\n`;
    expect(lintedHere(wrong)).toEqual([problem]);
    expect(lintMetrics(wrong)).toEqual([problem]);
  });
});
