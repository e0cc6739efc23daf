import { Headers, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { reconciliationCsv } from '../../costs/reconcile/reconciliation-csv.rules.js';
import { Reconciliations, type Reconciliation } from '../../costs/reconcile/reconciliations.service.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import {
  reconcileInputOf,
  ReconciliationQuery,
  ReconciliationRequest,
  ReconciliationResponse,
} from './reconciliation.dto.js';

@AdminController('costs/reconciliation')
export class ReconciliationController {
  constructor(private readonly reconciliations: Reconciliations) {}

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: "Compare a provider's export with recorded costs", type: ReconciliationResponse })
  async reconcile(
    @ValidBody(ReconciliationRequest) body: ReconciliationRequest,
    @ValidQuery(ReconciliationQuery) { output }: ReconciliationQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const result = await this.reconciliations.reconcile(reconcileInputOf(body));
    return output === 'csv' || prefersCsv(accept) ? asCsv(result, reply) : ReconciliationResponse.of(result);
  }
}

/** Only if CSV is the first type: browsers and clients that accept everything get JSON. */
const prefersCsv = (accept: string | undefined): boolean => /^\s*text\/csv\b/i.test(accept ?? '');

function asCsv(result: Reconciliation, reply: FastifyReply): string {
  const { from, to } = result.file;
  reply.header('content-type', 'text/csv; charset=utf-8');
  reply.header('content-disposition', `attachment; filename="reconciliation-${from}-${to}.csv"`);
  return reconciliationCsv(result);
}
