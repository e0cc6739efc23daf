import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { usePriceCalls } from './price-calls';
import { upstreamInWords } from './price-columns';
import type { MissingPrice, Price } from './price-types';
import { recomputedInWords } from './recomputed-words';
import { SetPrice } from './set-price';

type PriceQuestion =
  | { readonly kind: 'set'; readonly missing: MissingPrice | null }
  | { readonly kind: 'recompute'; readonly missing: MissingPrice }
  | { readonly kind: 'delete'; readonly price: Price };
export type AskForPrice = (question: PriceQuestion) => void;

/** The page holds the dialogs, because a refetch can remove the row. */
export function usePriceDialogs(): { readonly ask: AskForPrice; readonly dialogs: ReactNode } {
  const [asked, setAsked] = useState<PriceQuestion | null>(null);
  const close = () => setAsked(null);
  if (asked === null) return { ask: setAsked, dialogs: null };
  switch (asked.kind) {
    case 'set':
      return { ask: setAsked, dialogs: <SetPrice missing={asked.missing} onClose={close} /> };
    case 'recompute':
      return { ask: setAsked, dialogs: <Recompute of={asked.missing} onClose={close} /> };
    case 'delete':
      return { ask: setAsked, dialogs: <DeletePrice of={asked.price} onClose={close} /> };
    default:
      return asked satisfies never;
  }
}

function Recompute({ of: { model, provider }, onClose }: { readonly of: MissingPrice; readonly onClose: () => void }) {
  const calls = usePriceCalls();
  async function run(): Promise<void> {
    showDone(recomputedInWords(await calls.recompute({ model, provider })));
  }
  return (
    <Confirm opened onClose={onClose} title="Recompute the costs of these requests?" action="Recompute" run={run}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Past requests to <b>{model}</b> at <b>{provider}</b> that have no complete price are charged at the price that
        applied at their time. The totals of those days change. Other requests do not change. The audit log records the
        amount.
      </Text>
    </Confirm>
  );
}

function DeletePrice({ of: price, onClose }: { readonly of: Price; readonly onClose: () => void }) {
  const calls = usePriceCalls();
  async function run(): Promise<void> {
    await calls.delete(price.id);
    showDone(`The price of ${price.model} was deleted.`);
  }
  return (
    <Confirm opened onClose={onClose} title="Delete this price?" action="Delete" danger run={run}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        New requests to <b>{price.model}</b> ({upstreamInWords(price)}) use an earlier price or the published list. If
        neither applies, these requests have no price. The costs of past requests do not change.
      </Text>
    </Confirm>
  );
}
