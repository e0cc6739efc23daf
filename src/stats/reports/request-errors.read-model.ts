import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import type { Days } from '../../costs/days.rules.js';
import { rowFilterOf } from '../../costs/report/row-filter.read-model.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { NO_KEY_ID } from '../usage-ledger.js';

const SUMS = sqlFile(import.meta.url, './request-errors.sql');

/** All conditions must hold. An absent one does not apply. */
export interface RequestErrorFilter {
  readonly keyId?: string;
  /** The team that the key belongs to now. */
  readonly teamId?: string;
  /** A tag that the key or its team has now. */
  readonly tag?: string;
  readonly code?: string;
}

interface Counts {
  readonly requests: number;
  /** Included in `requests`. These requests were not admitted, so usage does not include them. */
  readonly rejected: number;
}

interface KeyErrors extends Counts {
  /** Null for requests without a known key. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly teamId: string | null;
  readonly teamName: string | null;
}

/** Numbers of failed requests, exact up to 2^53. Lists are in descending order, with at most 500 entries. */
export interface RequestErrors {
  readonly total: Counts;
  /** Days with failures such as `2026-07-31`, newest first. */
  readonly byDay: readonly (Counts & { readonly day: string })[];
  readonly byCode: readonly (Counts & { readonly code: string })[];
  readonly byKey: readonly KeyErrors[];
  readonly byTeam: readonly Omit<KeyErrors, 'keyId' | 'keyName'>[];
}

/** Reads exact counts of rejected and failed requests (D33). They are at most a second behind. */
@Injectable()
export class RequestErrorReports {
  constructor(private readonly source: ReportSource) {}

  async read({ from, to }: Days, { keyId: key, teamId: team, tag, code }: RequestErrorFilter): Promise<RequestErrors> {
    const { keys } = await rowFilterOf(this.source, {
      ...(key !== undefined && { key }),
      ...(team !== undefined && { team }),
      ...(tag !== undefined && { tag }),
    });
    const rows = await this.source.query<Row[]>(SUMS, [from, to, keys, code ?? null]);
    const ofKind = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
    return {
      total: countsOf(ofKind('total')[0] ?? { requests: 0, rejected: 0 }),
      byDay: ofKind('day').map((row) => ({ day: row.day!, ...countsOf(row) })),
      byCode: ofKind('code').map((row) => ({ code: row.code!, ...countsOf(row) })),
      byKey: ofKind('key').map((row) => ({ ...teamOf(row), keyId: keyOf(row), keyName: row.keyName })),
      byTeam: ofKind('team').map(teamOf),
    };
  }
}

interface Row extends Counts {
  readonly kind: 'total' | 'day' | 'code' | 'key' | 'team';
  readonly day: string | null;
  readonly code: string | null;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly teamId: string | null;
  readonly teamName: string | null;
}

const countsOf = ({ requests, rejected }: Counts): Counts => ({ requests, rejected });
const keyOf = ({ keyId }: Row): string | null => (keyId === NO_KEY_ID ? null : keyId);
const teamOf = (row: Row) => ({ teamId: row.teamId, teamName: row.teamName, ...countsOf(row) });
