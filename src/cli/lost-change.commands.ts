import { LostChangeDecisions } from '../admin/lost-changes/lost-change-decisions.service.js';
import { LostChangesAdminModule } from '../admin/lost-changes/lost-changes-admin.module.js';
import {
  DecidedLostChangesResponse,
  ListLostChangesRequest,
  LostChangeListResponse,
  type LostChangeResponse,
} from '../admin/lost-changes/lost-changes.dto.js';
import { LostChangeStore } from '../audit/lost-changes/lost-change.store.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { withApplication } from './application.js';
import type { Invocation, Result } from './command.js';
import { readQuery } from './input-options.js';
import { LOST_CHANGE_OPTIONS } from './options.data.js';
import { pageText, printable, textTable, timeText } from './text-table.js';

const HEAD = ['TIME', 'ACTION', 'TARGET', 'REMEMBERED', 'DECISION', 'ID'];
const NONE = 'The database has lost no changes.';

export async function listLostChanges(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(ListLostChangesRequest, input, LOST_CHANGE_OPTIONS);
  return withApplication(call, { module: LostChangesAdminModule, writes: false }, async (services) => {
    const page = await services.get(LostChangeStore, { strict: false }).list(query.decided ?? null, query);
    const document = LostChangeListResponse.of(page, query.offset);
    const { total, changes } = document;
    return { document, text: pageText(HEAD, changes.map(cellsOf), { offset: query.offset, total, none: NONE }) };
  });
}

/** @param ids none for all */
export function decideLostChanges(
  call: Invocation,
  decision: 'apply' | 'discard',
  ids: readonly string[],
): Promise<Result> {
  return withApplication(call, { module: LostChangesAdminModule, writes: true }, async (services) => {
    const decisions = services.get(LostChangeDecisions, { strict: false });
    const changes = await decisions[decision](ids.length === 0 ? null : ids, SYSTEM_ACTOR);
    const document = DecidedLostChangesResponse.of(changes);
    const none = 'There is no lost change to decide about.\n';
    return { document, text: changes.length === 0 ? none : textTable(HEAD, document.changes.map(cellsOf)) };
  });
}

const cellsOf = (change: LostChangeResponse): string[] => [
  timeText(change.at),
  change.action,
  `${change.target_id ?? '-'}${change.target_name === null ? '' : ` ${printable(change.target_name)}`}`,
  change.remembered ?? '-',
  change.decision ?? '-',
  change.id,
];
