import { expect, test } from '@jest/globals';
import { LruCache } from '../../../src/platform/fairness/lru-cache.js';
import { heldBytes } from '../../support/held-bytes.js';

test('a full cache removes the entry that was not used for the longest time', () => {
  const evicted: object[] = [];
  const [one, two, three] = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  const cache = new LruCache<string, object>(2, { onEvicted: (value) => evicted.push(value) });
  cache.set('one', one).set('two', two);
  expect(cache.get('one')).toBe(one);
  cache.set('three', three);
  expect([...cache.keys()].sort()).toEqual(['one', 'three']);
  expect(evicted).toEqual([two]);
});

test('only the limit counts as an eviction, not a deletion or a new value', () => {
  const evicted: object[] = [];
  const cache = new LruCache<string, object>(2, { onEvicted: (value) => evicted.push(value) });
  cache.set('one', {}).set('one', {}).set('two', {});
  cache.delete('one');
  cache.clear();
  expect(evicted).toEqual([]);
  expect(cache.size).toBe(0);
});

test('an empty cache takes no memory for its entries', () => {
  const before = heldBytes();
  const caches = Array.from({ length: 10 }, () => new LruCache<string, object>(100_000));
  expect(heldBytes() - before).toBeLessThan(1_000_000);
  expect(caches).toHaveLength(10);
});
