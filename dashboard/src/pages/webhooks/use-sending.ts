import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { showDone } from '../../parts/toasts';
import type { Delivery } from './webhook-types';

interface Sent {
  readonly deliveryId: string;
  /** That it had before it was sent. */
  readonly attempts: number;
}

export interface Sending {
  /** null: nobody waits for anything. */
  readonly sent: Sent | null;
  readonly wait: (sent: Sent | null) => void;
}

/** No attempt takes longer than about 20 s; after that the list tells by itself. */
const PATIENCE_MS = 30_000;

/** A delivery that was sent by hand a moment ago, and for which somebody waits until its next attempt is over. */
export function useSending(): Sending {
  const [sent, wait] = useState<Sent | null>(null);
  useEffect(() => {
    if (sent === null) return;
    const timer = setTimeout(() => wait(null), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  return { sent, wait };
}

/** Tells what has become of it, as soon as `deliveries` show that. */
export function useOutcome({ sent, wait }: Sending, deliveries: readonly Delivery[] | undefined): void {
  const delivery = sent === null ? undefined : deliveries?.find(({ id }) => id === sent.deliveryId);
  const over = delivery !== undefined && (delivery.status !== 'pending' || delivery.attempts > sent!.attempts);
  useEffect(() => {
    if (!over) return;
    tell(delivery);
    wait(null);
  }, [over]);
}

function tell({ status, response_status, response_excerpt }: Delivery): void {
  if (status === 'delivered') {
    showDone(`Delivered: the receiver answered ${response_status}.`);
    return;
  }
  const message =
    response_status === null
      ? `${(response_excerpt ?? 'no answer').replace(/^\[|\]$/g, '')}.`
      : `the receiver answered ${response_status}.`;
  notifications.show({ message: `This attempt failed: ${message}`, color: 'red', autoClose: 10_000 });
}
