import { Headers, Post } from '@nestjs/common';
import { reconciliationCsv } from '../../costs/reconcile/reconciliation-csv.rules.js';
import { Reconciliations, type Reconciliation } from '../../costs/reconcile/reconciliations.service.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { csvDownload } from '../csv-download.js';
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
  @Responds(200, {
    summary: "Compare a provider's export with recorded costs",
    type: ReconciliationResponse,
    csv: true,
  })
  async reconcile(
    @ValidBody(ReconciliationRequest) body: ReconciliationRequest,
    @ValidQuery(ReconciliationQuery) { output }: ReconciliationQuery,
    @Headers('accept') accept: string | undefined,
  ) {
    return responseOf(
      await this.reconciliations.reconcile(reconcileInputOf(body)),
      output === 'csv' || prefersCsv(accept),
    );
  }
}

/** Only if CSV is the first type: browsers and clients that accept everything get JSON. */
const prefersCsv = (accept: string | undefined): boolean => /^\s*text\/csv\b/i.test(accept ?? '');

const responseOf = (result: Reconciliation, asCsv: boolean) =>
  asCsv
    ? csvDownload(reconciliationCsv(result), `reconciliation-${result.file.from}-${result.file.to}.csv`)
    : ReconciliationResponse.of(result);
