import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeyStatus } from '../../keys/key-state.rules.js';
import type { KeyStanding } from '../key-warnings.rules.js';

export const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** Reads how close keys are to their expiry and their monthly limits. */
@Injectable()
export class KeyStandingStore {
  constructor(private readonly source: DataSource) {}

  /**
   * Returns the next `count` keys after `afterId`, by ID. It omits revoked keys, and keys with neither an expiry nor a monthly limit.
   *
   * @param month year * 12 + month - 1
   */
  async next(afterId: string, month: number, count: number): Promise<KeyStanding[]> {
    const rows = await this.source.query<StandingRow[]>(NEXT, [afterId, month, count]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      status: row.status,
      expiresAt: row.expires_at,
      monthlyLimit: row.monthly_limit === null ? null : BigInt(row.monthly_limit),
      monthlyRequests: BigInt(row.requests),
      monthlyTokenLimit: row.monthly_token_limit === null ? null : BigInt(row.monthly_token_limit),
      monthlyTokens: BigInt(row.tokens),
    }));
  }
}

interface StandingRow {
  id: string;
  name: string;
  status: KeyStatus;
  expires_at: Date | null;
  monthly_limit: number | null;
  monthly_token_limit: string | null;
  requests: string;
  tokens: string;
}

const NEXT = `
  select k.id, k.name, k.status, k.expires_at, k.monthly_limit, k.monthly_token_limit,
         case when q.month = $2 then q.month_count else 0 end as requests,
         coalesce(u.input_tokens + u.output_tokens + case k.token_counting when 'all' then u.additional_tokens else 0 end, 0) as tokens
    from (select * from api_keys
           where id > $1 and status <> 'revoked'
             and (expires_at is not null or monthly_limit is not null or monthly_token_limit is not null)
           order by id limit $3) k
    left join key_quota q on q.key_id = k.id
    left join usage_monthly u on u.key_id = k.id and u.month = $2
   order by k.id`;
