import { ModelIdPipe } from '../../admin/model-allowlist/model-id.pipe.js';
import { SetModelPolicyRequest } from '../../admin/model-allowlist/model-policy.request.dto.js';
import { notFound } from '../../errors/catalogue.js';
import { PolicyRowsModule } from '../../model-policy/policy-rows.module.js';
import { PolicyService } from '../../model-policy/policy.service.js';
import { SYSTEM_ACTOR } from '../../request-context/admin-actor.js';
import { withApplication, type Need } from '../application.js';
import { checkBody } from '../check-input.js';
import type { Invocation, Result } from '../command.js';
import { printable } from '../text-table.js';
import { POLICIES, POLICY_OPTIONS, type Policy } from './model-options.data.js';

const WRITES: Need = { room: PolicyRowsModule, writes: true };
const NO_ROW = 'There is no policy for this model';
const modelId = new ModelIdPipe(NO_ROW);

/** `POST /admin/model-allowlist`; of its answer only the policy: here the catalog is not known. */
export async function setPolicy(
  call: Invocation,
  policy: Policy,
  model: string,
  input: Record<string, unknown>,
): Promise<Result> {
  const body = checkBody(SetModelPolicyRequest, { model, enabled: POLICIES[policy].enabled, ...input }, POLICY_OPTIONS);
  return withApplication(call, WRITES, async (services) => {
    const policies = services.get(PolicyService);
    const row = await policies.set(body.model, body.enabled, body.note ?? null, SYSTEM_ACTOR);
    const { enabled, note, updatedAt, updatedBy } = row;
    return {
      document: { model: row.model, enabled, note, updated_at: updatedAt, updated_by: updatedBy },
      text: `The model "${printable(row.model)}" is ${enabled ? 'allowed' : 'blocked'}.\n`,
    };
  });
}

/** `DELETE /admin/model-allowlist/{model}`. */
export async function resetPolicy(call: Invocation, typedModel: string): Promise<Result> {
  const model = modelId.transform(typedModel);
  return withApplication(call, WRITES, async (services) => {
    if (!(await services.get(PolicyService).remove(model, SYSTEM_ACTOR))) throw notFound(NO_ROW);
    const text = `The model "${printable(model)}" goes by registry and catalog again.\n`;
    return { document: { model, deleted: true }, text };
  });
}
