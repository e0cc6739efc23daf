import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parsedBytes, parseResponse, structureOf } from '../../../../src/platform/json/json-structure.js';
import { until } from '../../../support/until.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { ParseQueue } from '../../../../src/platform/fairness/parse-queue.js';
import type { TestGateway } from '../../../support/gateway.js';

/** The share of one key, which is a quarter of the memory and the largest body that a route accepts. */
const SHARE = 26 * 1_048_576;
const sizeOf = (text: string) => parsedBytes(structureOf(Buffer.from(text)));

describe('parsedBytes', () => {
  test('counts arrays and objects but not the strings in them', () => {
    const lists = `[${'[],'.repeat(100_000)}[]]`;
    expect(sizeOf(lists)).toBeGreaterThan(100_000 * 150);
    expect(sizeOf(lists.replaceAll('[]', '{}'))).toBeGreaterThan(100_000 * 150);
    expect(sizeOf(JSON.stringify({ messages: [{ role: 'user', content: '[{,'.repeat(100_000) }] }))).toBeLessThan(
      1_000,
    );
    expect(sizeOf(JSON.stringify(['\\"[[[[', '"'.repeat(100_000), ']]'.repeat(9)]))).toBeLessThan(1_000);
  });

  test('counts 160 bytes for an array or object, 112 for a field and 16 for a comma', () => {
    for (const times of [30_000, 40_000]) {
      expect(sizeOf(`[${'[],'.repeat(times)}{}]`)).toBe((times + 2) * 160 + times * 16);
      expect(sizeOf(`{${'"[,":["a",1],'.repeat(times)}"b":1}`)).toBe(
        (times + 1) * 160 + (times + 1) * 112 + times * 32,
      );
    }
    expect([65_536, 65_537].map((bytes) => sizeOf(`[]${' '.repeat(bytes - 2)}`))).toEqual([0, 160]);
  });

  test('a short text counts 0, and a text that is not JSON is counted without an error', () => {
    expect(sizeOf('[],'.repeat(20_000))).toBe(0);
    for (const broken of ['"'.repeat(100_001), `"${'\\'.repeat(100_001)}`, '\0'.repeat(100_000)]) {
      expect(sizeOf(broken)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('memory for parsed bodies', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ GW_BODY_MEMORY_BYTES: String(4 * SHARE) });
  });
  afterAll(() => gateway.stop());

  test('large parsed bodies of one key share a quarter of the memory, which is released afterwards', async () => {
    const key = await gateway.createKey();
    const memory = gateway.app.get(ParseQueue);
    let most = 0;
    const take = memory.take.bind(memory);
    memory.take = (holder, bytes) =>
      take(holder, bytes)?.then((turn) => {
        most = Math.max(most, memory.bytesHeld);
        return turn;
      });
    const heavy = { metadata: Object.fromEntries([['x', 'y']]), x: Array.from({ length: 140_000 }, () => []) };
    const responses = await Promise.all(Array.from({ length: 4 }, () => gateway.chat(key, heavy)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(most).toBeGreaterThan(SHARE / 2);
    expect(most).toBeLessThanOrEqual(SHARE);
    await until(() => memory.bytesHeld === 0);
  });

  test('a slow body that is not JSON does not delay the slow bodies after it', async () => {
    const key = await gateway.createKey();
    const slow = '[],'.repeat(140_000);
    const invalid = await gateway.call('POST', '/v1/chat/completions', { key, body: `{"x":[${slow}` });
    expect(invalid.body).toMatchObject({ error: { code: 'invalid_json' } });
    const valid = await gateway.call('POST', '/v1/chat/completions', {
      key,
      body: `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hello"}],"x":[${slow}1]}`,
    });
    expect(valid.status).toBe(200);
  });
});

describe('JSON of a provider', () => {
  test.each(['[],', '{},', '{"a":1},'])('is rejected before it is parsed if it consists of %s', (piece) => {
    const body = Buffer.from(`[${piece.repeat(8_000_000 / piece.length)}1]`);
    expect(() => parseResponse(body)).toThrow(RangeError);
    expect(() => parseResponse(body.toString())).toThrow(RangeError);
  });

  test('is rejected before it is parsed if it has too many different names', () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`n${index}`, 0])));
    expect(() => parseResponse(body)).toThrow(RangeError);
  });

  test('is parsed if it is long and has few values', () => {
    expect(parseResponse(Buffer.from(`{"text":"${'[],'.repeat(3_000_000)}"}`))).toHaveProperty('text');
    expect(() => parseResponse(Buffer.from('{'))).toThrow(SyntaxError);
  });
});
