import { SimpleGrid } from '@mantine/core';
import { amountText, UnpricedMark } from '../../parts/amount';
import { ChartTile } from '../../parts/chart-tile';
import { compact, count, percent } from '../../parts/numbers';
import { errorRateOf, type Usage } from './usage-query';

export function UsageTotals({ usage: { totals, rejected_requests: rejected } }: { readonly usage: Usage }) {
  const { requests, errors, input_tokens, output_tokens, total_tokens, estimated_tokens, cost, unpriced_requests } =
    totals;
  return (
    <section aria-labelledby="totals">
      <h2 id="totals" className="visually-hidden">
        Totals
      </h2>
      <SimpleGrid cols={{ base: 2, lg: 5 }} spacing={{ base: 'xs', sm: 'md' }}>
        <ChartTile
          label="Requests"
          value={compact(requests)}
          full={count(requests)}
          detail={`${count(requests)} admitted${rejected === 0 ? '' : `, ${count(rejected)} more rejected`}`}
        />
        <ChartTile
          label="Errors"
          value={compact(errors)}
          full={count(errors)}
          detail={`${percent(errorRateOf(totals))} of requests`}
        />
        <ChartTile
          label="Tokens"
          value={compact(total_tokens)}
          full={count(total_tokens)}
          detail={`${compact(input_tokens)} in, ${compact(output_tokens)} out`}
        />
        <ChartTile
          label="Estimated tokens"
          value={compact(estimated_tokens)}
          full={count(estimated_tokens)}
          detail={total_tokens === 0 ? 'no tokens' : `${percent((100 * estimated_tokens) / total_tokens)} of tokens`}
        />
        <ChartTile
          label="Cost"
          value={amountText(cost, unpriced_requests)}
          full={cost === null ? undefined : `$${cost}`}
          detail={
            cost === null && unpriced_requests === 0 ? (
              'No costs were recorded.'
            ) : (
              <UnpricedMark requests={unpriced_requests} />
            )
          }
        />
      </SimpleGrid>
    </section>
  );
}
