// A process of test/slow/faults/limits-crash-and-kill.spec.ts. It writes each numbered entry to a file before it sends it, so that the file is
// complete if the process is killed. Arguments: URL of the database, file, key (JSON), claims (JSON).
import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import { Admission } from '../../../src/quota/admission.service.js';
import type { LimitClaims } from '../../../src/quota/limit-claims.js';
import { Outage } from '../../../src/quota/outage.service.js';
import type { QuotaWriter } from '../../../src/quota/ledger/quota-writer.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { openStore } from '../../support/open-store.js';

const CLIENTS = 8;
const ASKED_MAX = 40;

const [url, path, keyText, claimsText] = process.argv.slice(2) as [string, string, string, string];
const key = JSON.parse(keyText) as KeySnapshot;
const claims = JSON.parse(claimsText) as LimitClaims;
const file = openSync(path, 'a');
const log = (entry: object): void => void writeSync(file, `${JSON.stringify(entry)}\n`);

let stopping = false;
const sums = { requests: 0, spent: 0 };

const store = await openStore(url);
// Nothing is served from memory, so that the entries are all there is.
const admission = new Admission(store, new Outage(Config.from({ GW_DB_OUTAGE: 'closed' }), new Clock(), store));
recordEntries((store as unknown as { writer: QuotaWriter }).writer);
process.on('SIGTERM', () => (stopping = true));
log({ kind: 'started' });
await Promise.all(Array.from({ length: CLIENTS }, sendRequests));
await store.onApplicationShutdown();
log({ kind: 'end', ...sums });
closeSync(file);
process.exit(0);

/** Sends requests one after another. Each one uses up to a third more than it has reserved. */
async function sendRequests(): Promise<void> {
  while (!stopping) {
    const asked = 1 + Math.floor(Math.random() * ASKED_MAX);
    const items = claims.items.map((item) => (item.holds ? { ...item, asked, overdraft: 2 * asked } : item));
    const verdict = await admission.admit(key, { ...claims, items }).catch(() => pause(20).then(() => null));
    if (verdict?.kind !== 'admitted') continue;
    const reserved = verdict.reserved ?? [];
    const spent = Math.floor(Math.random() * asked * 1.3);
    await pause(Math.random() * 30);
    sums.requests += 1;
    sums.spent += spent;
    admission.settle(
      reserved,
      reserved.map(() => spent),
    );
  }
}

function recordEntries({ id, journal }: QuotaWriter): void {
  log({ kind: 'writer', id });
  const begin = journal.begin.bind(journal);
  journal.begin = (asked) => {
    const number = begin(asked);
    log({ kind: 'batch', number, requests: asked.flatMap(({ requests = [] }) => requests.map(({ items }) => items)) });
    return number;
  };
  const answered = journal.confirmed.bind(journal);
  journal.confirmed = (counts, nowMs, limits) => {
    log({ kind: 'confirmed', lines: limits?.lines ?? [] });
    answered(counts, nowMs, limits);
  };
  const beginSettlement = journal.beginSettlement.bind(journal);
  journal.beginSettlement = () => {
    const settlement = beginSettlement();
    const charges = settlement.limits.charges.map(({ limitId, spent }) => ({ limitId, period: 0, freed: 0, spent }));
    log({ kind: 'settlement', number: settlement.number, lines: [...settlement.limits.lines, ...charges] });
    return settlement;
  };
  const settled = journal.settled.bind(journal);
  journal.settled = (nowMs, skipped) => {
    log({ kind: 'settled', skipped: [...skipped] });
    settled(nowMs, skipped);
  };
  const reconcile = journal.reconcile.bind(journal);
  journal.reconcile = (mark, nowMs) => {
    log({ kind: 'takeover', stored: mark?.batch ?? 0, refused: mark?.rejected ?? null });
    return reconcile(mark, nowMs);
  };
  const rolledBack = journal.rolledBack.bind(journal);
  journal.rolledBack = () => {
    log({ kind: 'rolled back' });
    rolledBack();
  };
}
