import type { Limit } from './limit-types';
import { amountText, amountWithUnit, sharesOf, titleOf } from './limit-words.rules';

const NEAR = 80;
const FULL = 100;

/** Shows the used amount, the amount reserved by running requests (hatched), and the remaining amount. */
export function LimitGaugeBar({ of: limit }: { readonly of: Limit }) {
  const { measure, used, reserved, remaining, effective_amount } = limit;
  const shares = sharesOf(limit);
  return (
    <div
      className="gauge"
      role="meter"
      aria-label={titleOf(limit)}
      aria-valuemin={0}
      aria-valuemax={FULL}
      aria-valuenow={shares.used}
      aria-valuetext={`${amountText(measure, used)} used, ${amountText(measure, reserved)} reserved, ${amountText(measure, remaining)} remaining of ${amountWithUnit(measure, effective_amount)}`}
      data-level={shares.used >= FULL ? 'full' : shares.used >= NEAR ? 'near' : 'low'}
    >
      <div className="gauge-used" style={{ width: `${shares.used}%` }} />
      <div className="gauge-reserved" style={{ width: `${shares.reserved}%` }} />
    </div>
  );
}
