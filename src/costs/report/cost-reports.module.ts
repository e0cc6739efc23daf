import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { CostsModule } from '../costs.module.js';
import { CostMonthStore } from '../stores/cost-month.store.js';
import { CostDayStore } from '../stores/cost-day.store.js';
import { CostExportStore } from '../stores/cost-export.store.js';
import { CostReportStore } from '../stores/cost-report.store.js';
import { CostDays, CostMonths } from './cost-periods.service.js';
import { CostBackfill } from './cost-backfill.service.js';
import { CostReports } from './cost-report.service.js';
import { FocusExport } from './focus-export.service.js';
import { PriceListRecord } from './price-list-record.service.js';

/**
 * Reports and exports of recorded costs. The module is separate because readers must not delay the recording of requests. Sums of
 * closed days and months make reports faster. If they are missing, reports use the rows, with the same result. If the database does not respond
 * in time, only the read fails.
 */
@Module({
  imports: [CostsModule, DatabaseModule],
  providers: [
    CostReports,
    CostReportStore,
    CostDays,
    CostDayStore,
    CostMonths,
    CostMonthStore,
    FocusExport,
    CostExportStore,
    CostBackfill,
    PriceListRecord,
  ],
  exports: [CostReports, FocusExport],
})
export class CostReportsModule {}
