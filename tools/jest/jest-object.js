import { AsyncLocalStorage } from 'node:async_hooks';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const RETRY_OPTIONS = { logErrorsBeforeRetry: 'LOG_ERRORS_BEFORE_RETRY', waitBeforeRetry: 'WAIT_BEFORE_RETRY' };
const set = (name, value) => (globalThis[Symbol.for(name)] = value);

const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
const REAL_TIMERS = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };

const mocker = new ModuleMocker(globalThis);
/** Which spec file the running code belongs to. Work that an earlier file has left behind belongs to that file. */
const owners = new AsyncLocalStorage();
let timers;
let globalConfig;
let owner;

/** Runs a spec file. Only timers that it sets itself are faked, because a fake one would end work of earlier files, and be counted. */
export function withOwnTimers(run) {
  owner = {};
  return owners.run(owner, run);
}

function leaveOthersReal() {
  for (const [name, real] of Object.entries(REAL_TIMERS)) {
    const fake = globalThis[name];
    if (fake === real) continue;
    const chosen = (...args) => (owners.getStore() === owner ? fake : real)(...args);
    globalThis[name] = Object.assign(chosen, fake);
  }
}

export function prepareJestObject(config) {
  globalConfig = config.globalConfig;
  mocker.restoreAllMocks();
  timers ??= new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  timers.useRealTimers();
  // A restored spy can put a fake timer back. jest-circus would then use it, and no test would time out.
  Object.assign(globalThis, REAL_TIMERS);
  for (const name of ['RETRY_TIMES', 'RETRY_IMMEDIATELY', 'TEST_TIMEOUT_SYMBOL', ...Object.values(RETRY_OPTIONS)])
    delete globalThis[Symbol.for(name)];
}

const MOCKS = ['fn', 'spyOn', 'mocked', 'replaceProperty', 'isMockFunction'];
const ALL_MOCKS = ['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'];
const TIMERS = [
  'advanceTimersByTime',
  'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer',
  'advanceTimersToNextTimerAsync',
  'advanceTimersToNextFrame',
  'runAllTicks',
  'runAllTimers',
  'runAllTimersAsync',
  'runOnlyPendingTimers',
  'runOnlyPendingTimersAsync',
  'clearAllTimers',
  'getTimerCount',
  'getRealSystemTime',
  'now',
];
const TIMER_SETTINGS = ['useRealTimers', 'setSystemTime', 'setTimerTickMode'];
/** Not supported, because Node loads each module once for all spec files of a process. */
const MODULES = [
  'mock',
  'unmock',
  'doMock',
  'dontMock',
  'setMock',
  'deepUnmock',
  'requireActual',
  'requireMock',
  'resetModules',
  'unstable_mockModule',
  'unstable_unmockModule',
  'isolateModules',
  'isolateModulesAsync',
  'createMockFromModule',
  'enableAutomock',
  'disableAutomock',
  'onGenerateMock',
];

const each = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]));
const chained =
  (call) =>
  (...args) => (call(...args), jest);

export const jest = {
  ...each(MOCKS, (name) => mocker[name].bind(mocker)),
  ...each(ALL_MOCKS, (name) => chained(() => mocker[name]())),
  ...each(
    TIMERS,
    (name) =>
      (...args) =>
        timers[name](...args),
  ),
  ...each(TIMER_SETTINGS, (name) => chained((...args) => timers[name](...args))),
  useFakeTimers: chained((...args) => {
    timers.useFakeTimers(...args);
    leaveOthersReal();
  }),
  ...each(MODULES, (name) => () => {
    throw new Error(`jest.${name} is not supported, because spec files share modules. See docs/adr/0020.`);
  }),
  setTimeout: chained((ms) => set('TEST_TIMEOUT_SYMBOL', ms)),
  retryTimes: chained((times, options = {}) => {
    if (options.entireDescribe) return globalThis[Symbol.for('RETRY_TIMES_SETTER')]({ ...options, numRetries: times });
    set('RETRY_TIMES', times);
    set('RETRY_IMMEDIATELY', options.retryImmediately);
    for (const [option, name] of Object.entries(RETRY_OPTIONS)) set(name, options[option]);
  }),
  getSeed: () => globalConfig.seed,
  isEnvironmentTornDown: () => false,
};
