import { expect, test } from '@jest/globals';
import { judgeSignInOrigin } from '../../src/auth/csrf.js';

test.each([
  [undefined, 'gateway.example'],
  ['https://gateway.example', 'gateway.example'],
  ['https://gateway.example', 'Gateway.Example'],
  ['https://gateway.example', 'gateway.example:443'],
  ['https://gateway.example:8443', 'gateway.example:8443'],
  ['https://203.0.113.7', '203.0.113.7'],
  ['http://localhost:8080', 'localhost:8080'],
  ['http://127.0.0.1:8080', '127.0.0.1:8080'],
  ['http://[::1]:8080', '[::1]:8080'],
  ['http://localhost', 'localhost:80'],
])("the origin %s with the host %s is the gateway's own", (origin, host) =>
  expect(judgeSignInOrigin(origin, host)).toBe('own'),
);

test.each([
  ['https://evil.example', 'gateway.example'],
  ['https://gateway.example.evil.example', 'gateway.example'],
  ['https://sub.gateway.example', 'gateway.example'],
  ['https://gateway.example:8443', 'gateway.example'],
  ['http://localhost:5173', 'localhost:8080'],
  ['http://localhost:8080', '127.0.0.1:8080'],
  ['http://evil.example', 'gateway.example'],
  ['null', 'gateway.example'],
  ['', 'gateway.example'],
  ['gateway.example', 'gateway.example'],
  ['chrome-extension://gateway.example', 'gateway.example'],
  ['https://evil.example@gateway.example', 'gateway.example'],
  ['https://gateway.example https://evil.example', 'gateway.example'],
  ['https://gateway.example', ''],
  ['https://gateway.example', 'gateway.example/x'],
  ['https://gateway.example', 'evil.example@gateway.example'],
])('the origin %s with the host %s is foreign', (origin, host) =>
  expect(judgeSignInOrigin(origin, host)).toBe('foreign'),
);

test.each([
  ['http://gateway.example', 'gateway.example'],
  ['http://gateway.example:8080', 'gateway.example:8080'],
  ['http://192.168.1.7:8080', '192.168.1.7:8080'],
  ['http://localhost.evil.example', 'localhost.evil.example'],
  ['http://127.0.0.1.evil.example', '127.0.0.1.evil.example'],
])('the origin %s with the host %s is insecure, because browsers drop the cookie', (origin, host) =>
  expect(judgeSignInOrigin(origin, host)).toBe('insecure'),
);
