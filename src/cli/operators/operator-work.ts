import { CreateOperatorRequest, SetPasswordRequest } from '../../admin/operators/operator.request.dto.js';
import { OperatorListResponse, OperatorResponse } from '../../admin/operators/operator.response.dto.js';
import { notFound } from '../../errors/catalogue.js';
import { OperatorsModule } from '../../operators/operators.module.js';
import { OperatorsService } from '../../operators/operators.service.js';
import { SYSTEM_ACTOR } from '../../request-context/admin-actor.js';
import { withApplication, type Need } from '../application.js';
import { checkBody, readQuery } from '../check-input.js';
import type { Invocation, Result } from '../command.js';
import { PAGE_OPTIONS } from '../page-options.data.js';
import { CREATE_OPTIONS } from './operator-options.data.js';
import { createdText, listText, resetText } from './operator-text.js';
import { generatePassword, readPassword, type PasswordOptions } from './password-source.js';
import { PageRequest } from '../../admin/page.dto.js';

const READS: Need = { room: OperatorsModule, writes: false };
const WRITES: Need = { room: OperatorsModule, writes: true };

export async function createOperator(
  call: Invocation,
  input: Record<string, unknown>,
  options: PasswordOptions,
): Promise<Result> {
  const generated = generatePassword();
  // With any password first: nobody types one twice to hear then that the role is wrong.
  const first = await checkBody(CreateOperatorRequest, { ...input, password: generated }, CREATE_OPTIONS);
  const request =
    options.generate === true
      ? first
      : await checkBody(CreateOperatorRequest, { ...input, password: await readPassword(options) }, CREATE_OPTIONS);
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

/** A password that somebody gave is not shown; one that was made here has to be. */
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
