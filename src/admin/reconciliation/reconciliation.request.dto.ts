import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { EXPORT_FORMATS, type ExportFormat } from '../../costs/reconcile/export-formats.data.js';
import type { ReconcileInput } from '../../costs/reconcile/reconciliations.service.js';
import { ApiField, CanBeAbsent, HasLength, IsStorable } from '../../validation/input.decorators.js';
import { QueryEnum } from '../../validation/query-fields.js';
import { listNames } from '../../validation/scalar-kinds.js';

const FORMATS = ['auto', ...EXPORT_FORMATS] as const;
const OUTPUTS = ['json', 'csv'] as const;

export class ReconciliationRequest {
  @ApiField({
    ...{ example: 'start_time_iso,amount_value,amount_currency\n2026-07-31T00:00:00Z,12.5,usd\n' },
    description: "The text of the provider's CSV export, at most 8 MiB.",
  })
  @Matches(/\S/, { message: 'the text of a CSV file' })
  @IsString()
  csv: string;

  @ApiField({
    example: 'auto',
    default: 'auto',
    description: 'The format of the export. `auto` decides by its header.',
  })
  @IsIn(FORMATS, { message: listNames(FORMATS) })
  @CanBeAbsent()
  format?: ExportFormat | 'auto';

  @ApiField({
    example: 'openai',
    description: 'Only records of this upstream of `GW_UPSTREAMS`. With a single account: `default` or `messages`.',
  })
  @IsStorable()
  @HasLength(1, 63)
  @IsString()
  @IsOptional()
  provider?: string | null;
}

export class ReconciliationQuery {
  @QueryEnum(OUTPUTS, {
    byDefault: 'json',
    description: 'The format of the response. `Accept: text/csv` also selects CSV.',
  })
  output: (typeof OUTPUTS)[number];
}

export const reconcileInputOf = ({ csv, format, provider }: ReconciliationRequest): ReconcileInput => ({
  ...{ csv, format: format ?? 'auto', provider: provider ?? null },
});
