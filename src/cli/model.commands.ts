import { Module } from '@nestjs/common';
import {
  ListModelAllowlistRequest,
  SetModelPolicyRequest,
  ModelIdPipe,
} from '../admin/model-allowlist/model-allowlist.dto.js';
import { pageOf } from '../admin/page.dto.js';
import { notFound } from '../platform/errors/error-factories.js';
import { PolicyRowsModule } from '../model-policy/policy-rows.module.js';
import { PolicyService, type ModelPolicy } from '../model-policy/policy.service.js';
import { OperatorsModule } from '../auth/operators/operators.module.js';
import { OperatorsService } from '../auth/operators/operators.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { withApplication, type Need } from './application.js';
import { checkBody, readQuery } from './input-options.js';
import type { Invocation, Result } from './command.js';
import { PAGE_OPTIONS, POLICIES, type Policy, POLICY_OPTIONS } from './options.data.js';
import { pageText, printable, timeText } from './text-table.js';

@Module({ imports: [PolicyRowsModule, OperatorsModule] })
class PoliciesWithOperators {}

const READS: Need = { module: PoliciesWithOperators, writes: false };
const WRITES: Need = { module: PolicyRowsModule, writes: true };
const HEAD = ['MODEL', 'POLICY', 'CHANGED', 'BY', 'NOTE'];
const ACTORS: Readonly<Record<string, string>> = { admin_key: 'admin key', system: 'command line' };
const OPERATORS_MAX = 500;
const NONE = 'No model has a policy. Registry and catalog status apply to all models.';
const NO_POLICY = 'This model has no policy';
const modelId = new ModelIdPipe(NO_POLICY);

/** The document contains only the policy, because commands do not read the catalog. */
export async function setPolicy(
  call: Invocation,
  policy: Policy,
  model: string,
  input: Record<string, unknown>,
): Promise<Result> {
  const body = await checkBody(
    SetModelPolicyRequest,
    { model, enabled: POLICIES[policy].enabled, ...input },
    POLICY_OPTIONS,
  );
  return withApplication(call, WRITES, async (services) => {
    const policies = services.get(PolicyService);
    const row = await policies.set(body.model, body.enabled, body.note ?? null, SYSTEM_ACTOR);
    return { document: documentOf(row), text: `Model "${printable(row.model)}" is now ${verdictOf(row)}.\n` };
  });
}

export async function listPolicies(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const { limit, offset } = await readQuery(ListModelAllowlistRequest, input, PAGE_OPTIONS);
  return withApplication(call, READS, async (services) => {
    const all = [...(await services.get(PolicyService, { strict: false }).rows()).values()].sort((a, b) =>
      a.model < b.model ? -1 : 1,
    );
    const shown = all.slice(offset, offset + limit);
    const page = pageOf(all.length, offset, shown.length);
    const operatorsService = services.get(OperatorsService, { strict: false });
    const { operators } = await operatorsService.list({ limit: OPERATORS_MAX, offset: 0 });
    const names = new Map(operators.map(({ id, name }) => [id, name]));
    const rows = shown.map((row) => cellsOf(row, ACTORS[row.updatedBy] ?? names.get(row.updatedBy) ?? row.updatedBy));
    const text = pageText(HEAD, rows, { offset, total: page.total, none: NONE });
    return { document: { ...page, models: shown.map(documentOf) }, text };
  });
}

export async function resetPolicy(call: Invocation, typedModel: string): Promise<Result> {
  const model = modelId.transform(typedModel);
  return withApplication(call, WRITES, async (services) => {
    if (!(await services.get(PolicyService).remove(model, SYSTEM_ACTOR))) throw notFound(NO_POLICY);
    const text = `Removed the policy of model "${printable(model)}". Registry and catalog status apply.\n`;
    return { document: { model, deleted: true }, text };
  });
}

const verdictOf = ({ enabled }: ModelPolicy): string => (enabled ? 'allowed' : 'blocked');

const documentOf = ({ model, enabled, note, updatedAt, updatedBy }: ModelPolicy) => {
  return { model, enabled, note, updated_at: updatedAt, updated_by: updatedBy };
};

const cellsOf = (row: ModelPolicy, by: string): string[] => {
  return [row.model, verdictOf(row), timeText(row.updatedAt), by, row.note ?? ''];
};
