// What specs import from `@jest/globals` in a worker process. Helpers are loaded once for all spec files of a process, while each
// spec file has a jest-circus of its own: the exports forward to the one of the file that runs.
import { jest } from './jest-object.js';

let current;

/** Called by jest-circus for each spec file, before it is loaded. */
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

/** A function that stands for the one that `resolve` returns at the time of the call; so do its members (`skip`, `each`). */
function forward(resolve) {
  return new Proxy(() => undefined, {
    apply: (_, self, args) => resolve().apply(self, args),
    get: (_, key) => (typeof key === 'symbol' ? undefined : forward(() => resolve()[key])),
  });
}
