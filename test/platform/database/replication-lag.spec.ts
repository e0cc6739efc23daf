import { expect, test } from '@jest/globals';
import { ReplicationLag } from '../../../src/platform/database/replication-lag.rules.js';

test('the lag is the age of the first position that the replica has not reached', () => {
  const lag = new ReplicationLag();
  lag.wrote(100n, 1000);
  lag.wrote(200n, 2000);
  lag.wrote(300n, 3000);
  lag.replayed(250n);
  expect(lag.seconds(7000)).toBe(4);
  lag.replayed(300n);
  expect(lag.seconds(7000)).toBe(0);
});

test('an idle primary does not make its replica lag', () => {
  const lag = new ReplicationLag();
  lag.wrote(100n, 1000);
  lag.wrote(100n, 900_000);
  lag.replayed(100n);
  expect(lag.seconds(1_000_000)).toBe(0);
});

test('positions of an earlier primary are forgotten, and a replica without a position has no lag', () => {
  const lag = new ReplicationLag();
  lag.wrote(500n, 1000);
  lag.wrote(100n, 2000);
  lag.replayed(100n);
  expect(lag.seconds(9000)).toBe(0);
  lag.replayed(null);
  expect(lag.seconds(9000)).toBeNull();
});
