import type { LimitTerms } from '../../limits/limit.js';
import type { GivenTopUp } from '../../limits/top-ups.service.js';
import { readObject, readText } from '../prices/input-problem.js';
import { readLimitAmount, readTime } from './limit-input.rules.js';

export const NOTE_CHARACTERS_MAX = 500;

/** @returns a reader that depends on the measure of the limit. @throws GatewayError `validation_error` */
export function readTopUp(value: unknown): (limit: Pick<LimitTerms, 'measure'>) => GivenTopUp {
  const { amount, expires_at: expiresAt, note } = readObject(value, '', ['amount', 'expires_at', 'note']);
  return ({ measure }) => ({
    amount: readLimitAmount(amount, 'amount', measure, 1),
    expiresAt: expiresAt === undefined || expiresAt === null ? expiresAt : readTime(expiresAt, 'expires_at'),
    note: note === undefined || note === null ? null : readText(note, 'note', NOTE_CHARACTERS_MAX),
  });
}
