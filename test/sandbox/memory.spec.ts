import { describe, expect, test } from '@jest/globals';

import { Collection, type Kept } from '../../sandbox/src/memory/collection.js';
import { pageOf } from '../../sandbox/src/memory/page.js';
import { SandboxMemory } from '../../sandbox/src/memory/sandbox-memory.js';
import { findRoute } from '../../sandbox/src/routes.js';
import type { SandboxRequest } from '../../sandbox/src/wire/exchange.js';

const filled = (collection: Collection<Kept>, count: number, bytes = 1): string[] =>
  Array.from({ length: count }, () => collection.create(bytes, (id) => ({ id })).id);

describe('collections of sandbox objects', () => {
  test('IDs come from a counter, so a new collection creates the same IDs', () => {
    expect(filled(new Collection('x_'), 2)).toEqual(filled(new Collection('x_'), 2));
  });

  test('a collection over its entry limit keeps the newest entries', () => {
    const collection = new Collection('x_', 2);
    const ids = filled(collection, 5);

    expect(collection.all().map(({ id }) => id)).toEqual(ids.slice(-2));
  });

  test('a collection over its byte limit keeps the newest entries, and always the last one', () => {
    const collection = new Collection('x_', 100, 10);

    filled(collection, 3, 5);
    expect(collection.all()).toHaveLength(2);
    filled(collection, 1, 11);
    expect(collection.all()).toHaveLength(1);
  });

  test('deletion frees bytes, and a replacement is counted once', () => {
    const collection = new Collection('x_', 100, 10);
    const [first = '', second = ''] = filled(collection, 2, 5);

    collection.put({ id: second }, 5);
    expect(collection.all()).toHaveLength(2);
    collection.delete(first);
    collection.delete(first);
    filled(collection, 1, 5);
    expect(collection.all()).toHaveLength(2);
  });
});

describe('object families', () => {
  test('an object is deleted together with its children', () => {
    const memory = new SandboxMemory();
    const { id } = memory.objects.create({ kind: 'container' }, () => ({}));
    const remove = findRoute('DELETE', `/v1/containers/${id}`);

    memory.objects.create({ kind: 'containerFile', parent: id }, () => ({}));
    expect(memory.objects.all('containerFile', id)).toHaveLength(1);
    remove?.route.handle({ params: remove.params, memory } as unknown as SandboxRequest);
    expect(memory.objects.all('containerFile', id)).toEqual([]);
  });
});

describe('list pages', () => {
  const entries = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const ids = (query: string): string[] => pageOf(entries, new URLSearchParams(query)).data.map(({ id }) => id);

  test.each([
    ['', 'dcba'],
    ['order=asc', 'abcd'],
    ['order=asc&limit=2', 'ab'],
    ['order=asc&after=b', 'cd'],
    ['after=c&limit=1', 'b'],
    ['order=asc&before=c', 'ab'],
    ['order=asc&after=a&before=d', 'bc'],
    ['order=asc&after=nowhere', 'abcd'],
    ['order=asc&after=d', ''],
  ])('the query "%s" returns the entries "%s"', (query, expected) => {
    expect(ids(query).join('')).toBe(expected);
  });

  test('a page has its first and last ID and whether more entries follow', () => {
    expect(pageOf(entries, new URLSearchParams('limit=2'))).toMatchObject({
      first_id: 'd',
      last_id: 'c',
      has_more: true,
    });
    expect(pageOf([], new URLSearchParams())).toMatchObject({ first_id: null, last_id: null, has_more: false });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'order=up'])('rejects %s', (query) => {
    expect(() => ids(query)).toThrow('Invalid value');
  });
});
