import type { FastifyRequest } from 'fastify';
import { expect, test } from '@jest/globals';
import { clientAddressOf } from '../../src/auth/client-address.js';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:50123', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:50123', '2001:db8::1'],
  ['[::ffff:203.0.113.9]:50123', '203.0.113.9'],
  // Eight groups, so the last one is not a port.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
  ['_hidden', '_hidden'],
  [undefined, null],
])('the address %s from a trusted proxy is read as %s', (ip, address) => {
  expect(clientAddressOf({ ip } as unknown as FastifyRequest)).toBe(address);
});
