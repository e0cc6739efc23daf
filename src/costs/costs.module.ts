import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../platform/changes/changes.module.js';
import { EventsModule } from '../audit/events/events.module.js';
import { MissingPrices } from './missing-prices.read-model.js';
import { OperatorPrices } from './operator-prices.service.js';
import { PriceFileImport } from './price-file-import.service.js';
import { PriceExplanation } from './price-explanation.service.js';
import { RecomputeBackfilledDays } from './recompute-backfilled-days.service.js';
import { RecomputeCosts } from './recompute-costs.service.js';
import { RecomputeUnpricedRequests } from './recompute-unpriced-requests.service.js';
import { BackfillPrices } from './report/backfill-prices.service.js';
import { PriceListEditions } from './price-list-editions.service.js';
import { Reconciliations } from './reconcile/reconciliations.service.js';
import { AppliedPrices } from './applied-price.service.js';
import { RequestCosts } from './request-costs.service.js';
import { CostBackfillStore } from './stores/cost-backfill.store.js';
import { ListedPriceStore } from './stores/listed-price.store.js';
import { PriceStore } from './stores/price.store.js';
import { ReconcileStore } from './stores/reconcile.store.js';
import { UnpricedStore } from './stores/unpriced.store.js';
import { UnpricedModels } from './unpriced-models.service.js';

/**
 * Prices and costs. The published price list is part of the release, and operators add or replace prices. It is separate from `stats`,
 * which records the costs, because other modules ask for prices too. While the database is unavailable, the last known prices of
 * operators stay in use.
 */
@Module({
  imports: [AuditModule, ChangesModule, EventsModule],
  providers: [
    PriceStore,
    UnpricedStore,
    OperatorPrices,
    PriceFileImport,
    AppliedPrices,
    RequestCosts,
    UnpricedModels,
    PriceExplanation,
    MissingPrices,
    RecomputeCosts,
    RecomputeUnpricedRequests,
    RecomputeBackfilledDays,
    BackfillPrices,
    CostBackfillStore,
    PriceListEditions,
    ListedPriceStore,
    ReconcileStore,
    Reconciliations,
  ],
  exports: [
    OperatorPrices,
    PriceFileImport,
    AppliedPrices,
    RequestCosts,
    UnpricedModels,
    PriceExplanation,
    MissingPrices,
    RecomputeCosts,
    Reconciliations,
    BackfillPrices,
    CostBackfillStore,
    PriceListEditions,
    ListedPriceStore,
  ],
})
export class CostsModule {}
