import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { showDone } from '../../parts/toasts';
import type { Delivery } from './webhook-types';

interface Sent {
  readonly deliveryId: string;
  readonly attempts: number;
}

export interface Sending {
  readonly sent: Sent | null;
  readonly wait: (sent: Sent | null) => void;
}

/** An attempt takes at most about 20 s. */
const WAIT_MS_MAX = 30_000;

/** Holds a manually sent delivery until its attempt ends. */
export function useSending(): Sending {
  const [sent, wait] = useState<Sent | null>(null);
  useEffect(() => {
    if (sent === null) return;
    const timer = setTimeout(() => wait(null), WAIT_MS_MAX);
    return () => clearTimeout(timer);
  }, [sent]);
  return { sent, wait };
}

export function useOutcome({ sent, wait }: Sending, deliveries: readonly Delivery[] | undefined): void {
  const delivery = sent === null ? undefined : deliveries?.find(({ id }) => id === sent.deliveryId);
  const over = delivery !== undefined && (delivery.status !== 'pending' || delivery.attempts > sent!.attempts);
  useEffect(() => {
    if (!over) return;
    showOutcome(delivery);
    wait(null);
  }, [over]);
}

function showOutcome({ status, response_status, response_excerpt }: Delivery): void {
  if (status === 'delivered') {
    showDone(`Delivered: the receiver responded with ${response_status}.`);
    return;
  }
  const message =
    response_status === null
      ? `${(response_excerpt ?? 'no response').replace(/^\[|\]$/g, '')}.`
      : `the receiver responded with ${response_status}.`;
  notifications.show({ message: `Attempt failed: ${message}`, color: 'red', autoClose: 10_000 });
}
