import { EndedSessionsResponse, SessionListResponse, type SessionResponse } from '../admin/sessions/session.dto.js';
import { PageRequest } from '../admin/page.dto.js';
import { notFound, validationError } from '../platform/errors/error-factories.js';
import { OperatorsModule } from '../auth/operators/operators.module.js';
import { OperatorsService } from '../auth/operators/operators.service.js';
import { SessionsService } from '../auth/operators/sessions.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { UUID } from '../platform/validation/characters.js';
import { withApplication } from './application.js';
import type { Invocation, Result } from './command.js';
import { readQuery, wrongInput } from './input-options.js';
import { SESSION_LIST_OPTIONS } from './options.data.js';
import { counted, pageText, printable, timeText } from './text-table.js';

/** Sessions of further operators show the operator's ID instead of the email. */
const OPERATORS_MAX = 500;
const UNKNOWN_SESSION = 'Session not found';

/** The field `operator_id` contains the operator's email, which operators know better than the ID. */
export async function listSessions(
  call: Invocation,
  { operator_id: email, ...input }: Record<string, unknown>,
): Promise<Result> {
  const query = await readQuery(PageRequest, input, SESSION_LIST_OPTIONS);
  return withApplication(call, { module: OperatorsModule, writes: false }, async (services) => {
    const operators = services.get(OperatorsService);
    const operatorId = typeof email === 'string' ? await filterOf(operators, email) : null;
    const page = await services.get(SessionsService).list({ visibleOf: null, operatorId }, query);
    const document = SessionListResponse.of(page, query.offset, null);
    const { operators: known } = await operators.list({ limit: OPERATORS_MAX, offset: 0 });
    const emails = new Map(known.map((operator) => [operator.id, operator.email]));
    const rows = document.sessions.map((session) => cellsOf(session, emails));
    const { total } = document;
    return { document, text: pageText(HEAD, rows, { offset: query.offset, total, none: 'No sessions found.' }) };
  });
}

export function endSession(call: Invocation, id: string): Promise<Result> {
  return withApplication(call, { module: OperatorsModule, writes: true }, async (services) => {
    if (!UUID.test(id)) throw notFound(UNKNOWN_SESSION);
    await services.get(SessionsService).revoke(id.toLowerCase(), null, SYSTEM_ACTOR);
    return { document: { id: id.toLowerCase(), deleted: true }, text: `Ended session ${id.toLowerCase()}.\n` };
  });
}

export function endAllSessions(call: Invocation, email: string): Promise<Result> {
  return withApplication(call, { module: OperatorsModule, writes: true }, async (services) => {
    const operator = await services.get(OperatorsService).findByEmail(email);
    if (operator === null) throw notFound('Operator not found');
    const document = EndedSessionsResponse.of(
      await services.get(SessionsService).revokeAll(operator.id, null, SYSTEM_ACTOR),
    );
    return { document, text: `Ended ${counted(document.ended, 'session')} of ${printable(operator.email)}.\n` };
  });
}

async function filterOf(operators: OperatorsService, email: string): Promise<string> {
  const operator = await operators.findByEmail(email);
  if (operator !== null) return operator.id;
  const message = 'Operator not found. Use the email that "operator list" shows.';
  throw wrongInput(SESSION_LIST_OPTIONS, validationError('operator_id', message));
}

const HEAD = ['ID', 'OPERATOR', 'IP', 'LAST SEEN', 'SIGNED IN', 'EXPIRES', 'USER AGENT'];

const cellsOf = (session: SessionResponse, emails: ReadonlyMap<string, string>): string[] => [
  session.id,
  emails.get(session.operator_id) ?? session.operator_id,
  session.ip ?? '-',
  timeText(session.last_seen_at),
  timeText(session.created_at),
  timeText(session.expires_at),
  session.user_agent ?? '-',
];
