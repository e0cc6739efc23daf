import { afterAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { Config } from '../../src/platform/config/config.js';
import { openFilesNeeded, openFilesProblem } from '../../src/start/open-file-limit.js';
import { GatewayProcess, TEST_SETTINGS } from '../support/gateway-process.js';
import { gatewayProgram, programEnv } from '../support/programs.js';

afterAll(() => GatewayProcess.endAll());

describe('open-file limit', () => {
  test('each upstream connection needs a file for itself and one for its client', () => {
    const needed = (env: Record<string, string>) => openFilesNeeded(Config.from(env));
    expect(needed({ GW_UPSTREAM_CONNECTIONS: '1000' }) - needed({ GW_UPSTREAM_CONNECTIONS: '900' })).toBe(200);
    const two = { GW_UPSTREAM_BASE_URL: 'http://a/v1', GW_UPSTREAM_MESSAGES_BASE_URL: 'http://b/v1' };
    expect(needed({ ...two, GW_UPSTREAM_CONNECTIONS: '1000' })).toBeGreaterThan(4000);
  });

  test('a sufficient or unknown limit causes no warning', () => {
    const config = Config.from({});
    expect([openFilesProblem(config, 1_048_576), openFilesProblem(config, Infinity)]).toEqual([null, null]);
    expect(openFilesProblem(config, null)).toBeNull();
    expect(openFilesProblem(config, openFilesNeeded(config) - 1)).toEqual({
      problem: expect.stringMatching(/can open \d+ files/),
      advice: expect.stringMatching(/^Raise the limit/),
    });
  });

  test('startup with a limit that is too low prints a warning with the limit and the remedy', () => {
    // Startup fails after the warning, because the port is in use.
    const command = `ulimit -n 300; exec "${process.execPath}" "$@"`;
    const env = { ...programEnv(), ...TEST_SETTINGS, HOST: '192.0.2.1', PORT: '1' };
    const { stderr } = spawnSync('sh', ['-c', command, 'sh', ...gatewayProgram()], { encoding: 'utf8', env });
    expect(stderr).toMatch(/^warning: a process can open 300 files, but the settings need up to \d+/m);
    expect(stderr).toContain('lower GW_UPSTREAM_CONNECTIONS');
  });
});
