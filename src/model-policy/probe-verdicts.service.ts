import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Changes } from '../platform/changes/changes.js';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { ProbeVerdict } from './availability.rules.js';
import type { ProbeResponse } from './probe/upstream-probe.js';
import { ProbeStore, type StoredVerdict } from './stores/probe.store.js';
import { CachedTable } from '../platform/changes/cached-table.js';

/** The stored verdict of each probed model. `ModelProbes` sends the probes, and `ProbeJob` runs them on schedule. */
@Injectable()
export class ProbeVerdicts extends CachedTable<StoredVerdict> {
  constructor(
    private readonly store: ProbeStore,
    changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {
    const same = (a: StoredVerdict, b: StoredVerdict) => a.verdict === b.verdict;
    super(changes, { name: 'probe verdicts', table: 'model_probes', load: () => store.all(), same });
  }

  /** Probes by operators are always audited, even if they return no verdict. */
  record(model: string, response: ProbeResponse, actor: AdminActor): Promise<void> {
    return this.write(new Map([[model, response]]), actor, () => true);
  }

  /** Stores the verdicts of a whole run in one transaction. Only changed verdicts are audited. */
  recordRun(responses: ReadonlyMap<string, ProbeResponse>, actor: AdminActor): Promise<void> {
    return this.write(responses, actor, ({ verdict }, before) => verdict !== null && verdict !== before?.verdict);
  }

  private async write(
    responses: ReadonlyMap<string, ProbeResponse>,
    actor: AdminActor,
    isAudited: (response: ProbeResponse, before: StoredVerdict | undefined) => boolean,
  ): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const stored = await this.store.lock(transaction, [...responses.keys()]);
      const verdicts = new Map<string, ProbeVerdict>();
      for (const [model, response] of responses) {
        const before = stored.get(model);
        if (response.verdict !== null) verdicts.set(model, response.verdict);
        if (isAudited(response, before)) await this.writeAudit(transaction, { model, response, before }, actor);
      }
      if (verdicts.size > 0) await this.store.put(transaction, verdicts);
    });
    await this.refresh();
  }

  private writeAudit(transaction: Transaction, probed: Probed, actor: AdminActor): Promise<void> {
    const { model, response, before } = probed;
    const old = before?.verdict ?? null;
    const changes =
      response.verdict === null || response.verdict === old ? {} : { availability: { old, new: response.verdict } };
    const metadata = { changes, verdict: response.verdict, upstream_status: response.status };
    return this.audit.write(transaction, {
      action: 'model.probed',
      actor,
      targetType: 'model',
      targetId: model,
      metadata,
    });
  }
}

interface Probed {
  readonly model: string;
  readonly response: ProbeResponse;
  readonly before: StoredVerdict | undefined;
}
