import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { originForm } from '../../../src/proxy/pipeline/request.hooks.js';
import { growthOf, LINEAR_GROWTH_MAX } from '../../support/cpu-time.js';

const printable = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
const scheme = fc.constantFrom('http://', 'https://', 'HTTP://', 'hTTpS://');
const authority = fc
  .constantFrom('gateway', '127.0.0.1', '[::1]')
  .chain((host) => fc.constantFrom(host, `${host}:1`, `${host}:65535`));

test('a target in absolute-form is reduced to the part after its authority', () => {
  fc.assert(
    fc.property(scheme, authority, printable, (http, host, rest) => {
      expect(originForm(`${http}${host}/${rest}`)).toBe(`/${rest}`);
      expect(originForm(`${http}${host}?${rest}`)).toBe(`/?${rest}`);
      expect(originForm(`${http}${host}`)).toBe('/');
    }),
  );
});

test('any other target is unchanged', () => {
  const pieces = fc.constantFrom('http', 'https', ':', '/', '//', '@', '\\', '#', '?', 'a', '.', 'ftp', '*', '%2f');
  const targets = fc.oneof(
    printable,
    fc.array(pieces, { maxLength: 8 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(targets, (target) => {
      const path = originForm(target);
      if (path === target) return;
      // A path can get a slash that the target does not have.
      const rest = target.endsWith(path) ? path : path.slice(1);
      expect(target.endsWith(rest)).toBe(true);
      // Only a scheme and an authority can be removed.
      expect(target.slice(0, target.length - rest.length)).toMatch(/^https?:\/\/[^/?#]+$/i);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['http://', 'http:', '*', 'http://a'])('long targets that start with %s take linear time', (start) => {
  expect(growthOf((size) => `${start}${'a'.repeat(size)}@`, 100_000, originForm)).toBeLessThan(LINEAR_GROWTH_MAX);
});
