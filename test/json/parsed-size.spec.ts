import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parsedBytes, structureOf } from '../../src/json/json-structure.js';
import { until } from '../support/until.js';
import { startGateway } from '../support/ready-gateway.js';
import { ParseQueue } from '../../src/fairness/parse-queue.js';
import type { TestGateway } from '../support/gateway.js';

/** Of one key: a quarter, and the longest body that there is. */
const SHARE = 26 * 1_048_576;
const weigh = (text: string) => parsedBytes(structureOf(Buffer.from(text)));

describe('what a JSON text weighs once it is parsed', () => {
  test('lists and objects weigh, the texts in them do not', () => {
    const lists = `[${'[],'.repeat(100_000)}[]]`;
    expect(weigh(lists)).toBeGreaterThan(100_000 * 150);
    expect(weigh(lists.replaceAll('[]', '{}'))).toBeGreaterThan(100_000 * 150);
    expect(weigh(JSON.stringify({ messages: [{ role: 'user', content: '[{,'.repeat(100_000) }] }))).toBeLessThan(1_000);
    expect(weigh(JSON.stringify(['\\"[[[[', '"'.repeat(100_000), ']]'.repeat(9)]))).toBeLessThan(1_000);
  });

  test('160 bytes a list or an object, 112 a name, 16 a comma, whatever stands before and behind it', () => {
    for (const times of [30_000, 40_000]) {
      expect(weigh(`[${'[],'.repeat(times)}{}]`)).toBe((times + 2) * 160 + times * 16);
      expect(weigh(`{${'"[,":["a",1],'.repeat(times)}"b":1}`)).toBe((times + 1) * 160 + (times + 1) * 112 + times * 32);
    }
    expect([65_536, 65_537].map((bytes) => weigh(`[]${' '.repeat(bytes - 2)}`))).toEqual([0, 160]);
  });

  test('a short one weighs nothing, whatever is in it, and one that is no JSON is weighed all the same', () => {
    expect(weigh('[],'.repeat(20_000))).toBe(0);
    for (const broken of ['"'.repeat(100_001), `"${'\\'.repeat(100_001)}`, '\0'.repeat(100_000)]) {
      expect(weigh(broken)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the memory of parsed bodies', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ GW_BODY_MEMORY_BYTES: String(4 * SHARE) });
  });
  afterAll(() => gateway.stop());

  test('heavy bodies of one key are judged one after the other, and all of it is given back', async () => {
    const key = await gateway.createKey();
    const memory = gateway.app.get(ParseQueue);
    let most = 0;
    const take = memory.take.bind(memory);
    const note = () => void (most = Math.max(most, memory.bytesHeld));
    memory.take = (holder, bytes) => take(holder, bytes)?.then(note);
    const heavy = { metadata: Object.fromEntries([['x', 'y']]), x: Array.from({ length: 200_000 }, () => []) };
    const answers = await Promise.all(Array.from({ length: 4 }, () => gateway.chat(key, heavy)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(most).toBeGreaterThan(SHARE / 2);
    expect(most).toBeLessThanOrEqual(SHARE);
    await until(() => memory.bytesHeld === 0, 5_000);
  });
});
