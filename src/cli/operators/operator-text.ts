import type { OperatorListResponse, OperatorResponse } from '../../admin/operators/operator.response.dto.js';
import { pageText, printable, textList, timeText } from '../text-table.js';

const HEAD = ['ID', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST SIGN-IN'];
const ONCE = 'This is the only time that the password is shown.\n';

export const createdText = (operator: OperatorResponse, password: string | null): string =>
  `Created the operator ${printable(operator.email)}.\n${details(operator, password)}`;

export const resetText = (operator: OperatorResponse, password: string | null): string =>
  `Set a new password for ${printable(operator.email)}; every session of theirs has ended.\n${details(operator, password)}`;

function details({ id, name, role, disabled }: OperatorResponse, password: string | null): string {
  const lines = textList([
    ...(password === null ? [] : [['password', password] as const]),
    ['id', id],
    ['name', name],
    ['role', role],
    ...(disabled ? [['status', 'disabled: may not sign in'] as const] : []),
  ]);
  return password === null ? lines : lines + ONCE;
}

export const listText = ({ total, operators }: OperatorListResponse, offset: number): string =>
  pageText(HEAD, operators.map(row), { offset, total, none: 'No operator.' });

const row = ({ id, email, name, role, disabled, last_login_at: lastLoginAt }: OperatorResponse): string[] => [
  ...[id, email, name, role],
  ...[disabled ? 'disabled' : 'active', timeText(lastLoginAt)],
];
