import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { startGateway } from '../../support/ready-gateway.js';
import { TestGateway } from '../../support/gateway.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { FaultyUpstream } from '../../faults/faulty-upstream.js';
import { CONNECTIONS, MatrixCell, type Form } from './matrix-cell.js';
import { FAULTS, LIMIT_MS, type Outcome } from '../../faults/upstream-faults.data.js';

/**
 * Tests each upstream fault with a buffered and a streamed request. The faults and outcomes are in `upstream-faults.data.ts`.
 * The checks of the response, the counts, the records and the next request are in `matrix-cell.ts`.
 *
 * Faults that need their own gateway are in `upstream-out-of-reach.spec.ts`, and uploads in `test/proxy/http/uploads.spec.ts`.
 * The circuit breaker, retries and single timeouts are in `test/upstream`.
 */
const BOTH: readonly Form[] = ['buffered', 'streamed'];

let upstream: FaultyUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await FaultyUpstream.start();
  gateway = await startGateway({
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_UPSTREAM_CONNECTIONS: String(CONNECTIONS),
    GW_UPSTREAM_HEAD_TIMEOUT_MS: String(LIMIT_MS),
    GW_UPSTREAM_IDLE_TIMEOUT_MS: String(LIMIT_MS),
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.down();
});

interface Cell {
  readonly form: Form;
  readonly outcome: Outcome;
  readonly long?: boolean | undefined;
  readonly begin: () => void | Promise<void>;
  readonly end: () => void | Promise<void>;
}

async function expectCell({ form, outcome, long, begin, end }: Cell): Promise<void> {
  const cell = await MatrixCell.open(gateway);
  const chatsBefore = upstream.chats;
  await begin();
  try {
    const requestId = await cell.expectResponse(form, outcome, long);
    // A request that might have reached the upstream is never sent again.
    expect(upstream.chats - chatsBefore).toBeLessThanOrEqual(1);
    await cell.expectRecorded(requestId, form, outcome);
  } finally {
    await end();
  }
  await cell.expectRecovered(form, outcome);
  cell.close();
}

/** Closes all connections, so that the next request must open one. */
async function withoutConnections(): Promise<void> {
  await upstream.down();
  await until(() => gateway.app.get(UpstreamClient).byName('default')!.pool.connected === 0);
}

describe.each(FAULTS)('an upstream that $fault', (row) => {
  test.each(BOTH)('a %s request gets the expected response, counts and records', (form) =>
    expectCell({
      form,
      outcome: row[form],
      long: row.beforeBody,
      begin: () => {
        upstream.beforeBody = row.beforeBody === true;
        upstream.misbehave = row.misbehave;
      },
      end: () => void (upstream.misbehave = null),
    }),
  );
});

describe('an upstream that refuses connections', () => {
  test.each(BOTH)('a %s request to an unreachable upstream returns 502, counted and recorded', (form) =>
    expectCell({
      form,
      outcome: { kind: 'refused', reason: 'connect' },
      begin: withoutConnections,
      end: () => upstream.up(),
    }),
  );
});

describe('an upstream that resets new connections', () => {
  test.each(BOTH)('a %s request over a reset connection returns 502, counted and recorded', (form) =>
    expectCell({
      form,
      outcome: { kind: 'refused', reason: 'reset', or: 'connect' },
      begin: async () => {
        await withoutConnections();
        upstream.resetsOnAccept = true;
        await upstream.up();
      },
      end: () => void (upstream.resetsOnAccept = false),
    }),
  );
});
