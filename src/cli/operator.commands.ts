import {
  CreateOperatorRequest,
  SetPasswordRequest,
  OperatorListResponse,
  OperatorResponse,
} from '../admin/operators/operator.dto.js';
import { PageRequest } from '../admin/page.dto.js';
import { notFound } from '../platform/errors/error-factories.js';
import { OperatorsModule } from '../auth/operators/operators.module.js';
import { OperatorsService } from '../auth/operators/operators.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { withApplication, type Need } from './application.js';
import { checkBody, readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { OPERATOR_OPTIONS, PAGE_OPTIONS } from './options.data.js';
import { generatePassword, readPassword, type PasswordOptions } from './password-input.js';
import { pageText, printable, textList, timeText } from './text-table.js';

const READS: Need = { module: OperatorsModule, writes: false };
const WRITES: Need = { module: OperatorsModule, writes: true };

export async function createOperator(
  call: Invocation,
  input: Record<string, unknown>,
  options: PasswordOptions,
): Promise<Result> {
  const generated = generatePassword();
  // The other fields are validated first, with a generated password, so that an error in them precedes the prompt.
  const first = await checkBody(CreateOperatorRequest, { ...input, password: generated }, OPERATOR_OPTIONS);
  const request =
    options.generate === true
      ? first
      : await checkBody(CreateOperatorRequest, { ...input, password: await readPassword(options) }, OPERATOR_OPTIONS);
  return withOperators(call, WRITES, async (operators) => {
    const operator = OperatorResponse.of(await operators.create(request, SYSTEM_ACTOR));
    return withGenerated(operator, options.generate === true ? generated : null, createdText);
  });
}

export async function listOperators(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(PageRequest, input, PAGE_OPTIONS);
  return withOperators(call, READS, async (operators) => {
    const document = OperatorListResponse.of(await operators.list(query), query.offset);
    return { document, text: listText(document, query.offset) };
  });
}

export async function resetPassword(call: Invocation, email: string, options: PasswordOptions): Promise<Result> {
  const generated = options.generate === true ? generatePassword() : null;
  const { new_password: password } = await checkBody(
    SetPasswordRequest,
    { new_password: generated ?? (await readPassword(options)) },
    [],
  );
  return withOperators(call, WRITES, async (operators) => {
    const operator = await operators.findByEmail(email);
    if (operator === null) throw notFound('Operator not found');
    await operators.setPassword(operator.id, password, SYSTEM_ACTOR);
    return withGenerated(OperatorResponse.of(operator), generated, resetText);
  });
}

function withGenerated(
  operator: OperatorResponse,
  password: string | null,
  textOf: (operator: OperatorResponse, password: string | null) => string,
): Result {
  const text = textOf(operator, password);
  return password === null
    ? { document: operator, text }
    : { document: { ...operator, password }, text, holdsSecret: true };
}

function withOperators(
  call: Invocation,
  need: Need,
  work: (operators: OperatorsService) => Promise<Result>,
): Promise<Result> {
  return withApplication(call, need, (services) => work(services.get(OperatorsService)));
}

const HEAD = ['ID', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST SIGN-IN'];
const ONCE = 'This is the only time that the password is shown. Store it now.\n';

const createdText = (operator: OperatorResponse, password: string | null): string =>
  `Created operator ${printable(operator.email)}.\n${details(operator, password)}`;

const resetText = (operator: OperatorResponse, password: string | null): string =>
  `Set a new password for ${printable(operator.email)} and ended all of their sessions.\n${details(operator, password)}`;

function details({ id, name, role, disabled }: OperatorResponse, password: string | null): string {
  const lines = textList([
    ...(password === null ? [] : [['password', password] as const]),
    ['id', id],
    ['name', name],
    ['role', role],
    ...(disabled ? [['status', 'disabled (cannot sign in)'] as const] : []),
  ]);
  return password === null ? lines : lines + ONCE;
}

const listText = ({ total, operators }: OperatorListResponse, offset: number): string =>
  pageText(HEAD, operators.map(row), { offset, total, none: 'No operators found.' });

const row = ({ id, email, name, role, disabled, last_login_at: lastLoginAt }: OperatorResponse): string[] => [
  id,
  email,
  name,
  role,
  disabled ? 'disabled' : 'active',
  timeText(lastLoginAt),
];
