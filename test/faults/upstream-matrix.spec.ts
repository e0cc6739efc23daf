import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { startGateway } from '../support/ready-gateway.js';
import { TestGateway } from '../support/gateway.js';
import { UpstreamClient } from '../../src/upstream/upstream-client.js';
import { FaultyUpstream } from './faulty-upstream.js';
import { CONNECTIONS, MatrixCell, type Form } from './matrix-cell.js';
import { FAULTS, LIMIT_MS, type Outcome } from './upstream-faults.data.js';

/**
 * Every fault of an upstream × {buffered, streamed}. The rows and what is promised of them are in `upstream-faults.data.ts`,
 * what is checked in each cell in `matrix-cell.ts`: the client's answer, the counts, the records, the next request.
 * Beside it stand faults that need a gateway of their own (`upstream-connecting.spec.ts`) and what is no matter of one
 * answer: the breaker, retries and time limits one by one (`test/upstream`), uploads (`test/http/v1/uploads.spec.ts`).
 */
const BOTH: readonly Form[] = ['buffered', 'streamed'];

let upstream: FaultyUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await FaultyUpstream.start();
  gateway = await startGateway({
    ...{ GW_UPSTREAM_BASE_URL: upstream.url, GW_UPSTREAM_CONNECTIONS: String(CONNECTIONS) },
    ...{ GW_UPSTREAM_HEAD_TIMEOUT_MS: String(LIMIT_MS), GW_UPSTREAM_IDLE_TIMEOUT_MS: String(LIMIT_MS) },
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
    const requestId = await cell.meet(form, outcome, long);
    // What may have reached the upstream is never sent a second time.
    expect(upstream.chats - chatsBefore).toBeLessThanOrEqual(1);
    await cell.expectRecorded(requestId, form, outcome);
  } finally {
    await end();
  }
  await cell.expectRecovered(form, outcome);
  cell.close();
}

/** No connection is left over from before: the next request has to make one. */
async function withoutConnections(): Promise<void> {
  await upstream.down();
  await until(() => gateway.app.get(UpstreamClient).connectionsOf('default') === 0, 5_000);
}

describe.each(FAULTS)('an upstream that $fault', (row) => {
  test.each(BOTH)('%s', (form) =>
    expectCell({
      ...{ form, outcome: row[form], long: row.atTheHead },
      begin: () => {
        upstream.atTheHead = row.atTheHead === true;
        upstream.misdeed = row.misdeed;
      },
      end: () => void (upstream.misdeed = null),
    }),
  );
});

describe('an upstream that refuses connections', () => {
  test.each(BOTH)('%s', (form) =>
    expectCell({
      ...{ form, outcome: { kind: 'refused', reason: 'connect' } },
      begin: withoutConnections,
      end: () => upstream.up(),
    }),
  );
});

describe('an upstream that resets connections as soon as it has taken them', () => {
  test.each(BOTH)('%s', (form) =>
    expectCell({
      ...{ form, outcome: { kind: 'refused', reason: 'reset', or: 'connect' } },
      begin: async () => {
        await withoutConnections();
        upstream.resetsOnAccept = true;
        await upstream.up();
      },
      end: () => void (upstream.resetsOnAccept = false),
    }),
  );
});
