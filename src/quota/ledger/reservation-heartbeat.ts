import type { Client } from 'pg';
import { areSomeSilent, expireOne } from './limit-settlement.js';
import type { QuotaWriter } from './quota-writer.js';

const INTERVAL_MS = 3000;
/** After an outage, the other processes get this time to show that they are alive. */
const CONNECTED_MS_MIN = 15_000;

/**
 * Shows every 3 s that this process is alive, if it makes reservations, and ends the reservations of processes without a heartbeat for
 * 15 s. A process without reservations of its own does so too, because it can be the only one that is left.
 */
export class ReservationHeartbeat {
  private reserves = false;
  private someSilent = false;
  private beatAtMs = -Infinity;
  private connectedSinceMs = 0;

  constructor(private readonly writer: QuotaWriter) {}

  get isDue(): boolean {
    return (this.reserves || this.someSilent) && performance.now() - this.beatAtMs >= INTERVAL_MS;
  }

  /** Starts the heartbeat of this process, which can hold reservations from now on. */
  start(): void {
    this.reserves = true;
  }

  connected(): void {
    this.connectedSinceMs = performance.now();
  }

  /** Looks for silent processes, as an idle process does every second. */
  async look(client: Client): Promise<void> {
    this.someSilent = await areSomeSilent(client);
  }

  async beat(client: Client): Promise<void> {
    this.beatAtMs = performance.now();
    if (this.reserves) await this.writer.beat(client);
    if (this.beatAtMs - this.connectedSinceMs >= CONNECTED_MS_MIN) this.someSilent = await expireOne(client);
  }
}
