import { expect } from '@jest/globals';
import { ADMIN_KEY, UPSTREAM_KEY } from '../support/gateway.js';
import { TEST_SETTINGS } from '../support/gateway-process.js';
import { cliJson } from './command.js';

interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail' | 'skipped';
  readonly message: string;
  readonly advice: string | null;
}
interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

export const PASSWORD = 'hunter2-hunter2';
const SECRETS = [PASSWORD, ADMIN_KEY, UPSTREAM_KEY, TEST_SETTINGS.GW_SECRET_KEY];

/** Runs `doctor` with these settings. Expects that its output contains no secret, and advice for each problem. */
export async function diagnose(env: Record<string, string>): Promise<Diagnosis> {
  const { code, failed, body } = await cliJson<Diagnosis>(['doctor'], { env });
  expect(failed).toBe(false);
  for (const secret of SECRETS) expect(JSON.stringify(body)).not.toContain(secret);
  for (const { status, advice } of body.checks) {
    expect(advice !== null && advice !== '').toBe(status === 'warn' || status === 'fail');
  }
  expect(code).toBe(body.ok ? 0 : 1);
  expect(body.ok).toBe(!body.checks.some(({ status }) => status === 'fail'));
  return body;
}

export const found = ({ checks }: Diagnosis, name: string): Check => checks.find(({ check }) => check === name)!;

export const troubles = ({ checks }: Diagnosis): Record<string, string> =>
  Object.fromEntries(checks.filter(({ status }) => status !== 'ok').map(({ check, status }) => [check, status]));
