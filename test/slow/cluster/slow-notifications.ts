import type { Socket } from 'node:net';
import { PostgresProxy } from '../../support/postgres-proxy.js';

const LATE_MS = 500;

/**
 * A proxy between a gateway and its database that delays notifications of changes. Only the versions that admission compares
 * can then reveal a change in time.
 */
export class SlowNotifications extends PostgresProxy {
  static before(url: string): Promise<SlowNotifications> {
    return new SlowNotifications(new URL(url)).listen();
  }

  protected override forward(near: Socket, far: Socket): void {
    let delayMs = 0;
    // The first packet contains the name of the connection.
    near.once('data', (first) => (delayMs = first.includes('gateway-watch') ? LATE_MS : 0));
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (delayMs === 0) near.write(data);
      else setTimeout(() => near.write(data), delayMs);
    });
  }
}
