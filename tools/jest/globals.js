// Replaces `@jest/globals` in a worker process. Test helpers are loaded once per process, but each spec file gets a new
// jest-circus. The exports forward to the jest-circus of the current spec file.
import { jest } from './jest-object.js';

let current;

export function setGlobals(globals) {
  current = globals;
  expect = globals.expect;
}

export let expect;
export { jest };
export const describe = forward(() => current.describe);
export const test = forward(() => current.test);
export const it = test;
export const xdescribe = describe.skip;
export const fdescribe = describe.only;
export const xtest = test.skip;
export const xit = test.skip;
export const fit = test.only;
export const beforeAll = (...args) => current.beforeAll(...args);
export const beforeEach = (...args) => current.beforeEach(...args);
export const afterEach = (...args) => current.afterEach(...args);
export const afterAll = (...args) => current.afterAll(...args);

/** Forwards each call to the current result of `resolve`. Its properties (`skip`, `each`) forward too. */
function forward(resolve) {
  return new Proxy(() => undefined, {
    apply: (_, self, args) => resolve().apply(self, args),
    get: (_, key) => (typeof key === 'symbol' ? undefined : forward(() => resolve()[key])),
  });
}
