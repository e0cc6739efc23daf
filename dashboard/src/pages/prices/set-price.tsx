import { Modal } from '@mantine/core';
import { ErrorNotice } from '../../parts/error-notice';
import { PageSkeleton } from '../../parts/page-skeleton';
import { useAppliedPrice } from './price-calls';
import type { MissingPrice } from './price-types';
import { SetPriceForm } from './set-price-form';

interface Props {
  /** null sets the price of any model. */
  readonly missing: MissingPrice | null;
  readonly onClose: () => void;
}

/** A click outside the dialog does not close it, because the input would be lost. */
export function SetPrice({ missing, onClose }: Props) {
  const partly = missing !== null && isPartlyPriced(missing);
  const { model, provider } = missing ?? { model: '', provider: '' };
  const applied = useAppliedPrice(partly ? { model, provider } : null);
  const waits = partly && applied.data === undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={missing === null ? 'Set a price' : `Set a price for ${missing.model}`}
      size="lg"
      closeOnClickOutside={false}
    >
      {!waits ? (
        <SetPriceForm missing={missing} applied={applied.data ?? null} onClose={onClose} />
      ) : applied.isError ? (
        <ErrorNotice error={applied.error} retry={() => void applied.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </Modal>
  );
}

/** The new price replaces the current one, so the form starts with its figures. */
const isPartlyPriced = ({ units, unpriced_kinds }: MissingPrice): boolean =>
  Object.keys(units).some((kind) => kind !== 'requests' && !unpriced_kinds.some((unpriced) => unpriced === kind));
