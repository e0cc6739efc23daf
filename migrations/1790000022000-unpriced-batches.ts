import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The details of a report that contains none, as of this migration. */
const NO_DETAILS = {
  ...{ inputIncludesCache: true, outputIncludesReasoning: true },
  ...{ cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 },
  ...{ audioInput: 0, cachedAudioInput: 0, audioOutput: 0, imageInput: 0, imageOutput: 0 },
  ...{ webSearches: 0, fileSearches: 0, codeExecutions: 0, images: 0, audioSeconds: 0, characters: 0 },
  ...{ serviceTier: null, region: null, imageSize: null, imageQuality: null, reportedCostNanoUsd: null },
};

/**
 * Requests without a price, many in one row, because a row for each doubled the CPU time of recording. A trigger moves rows that the
 * previous release writes to `unpriced_usage`, so that this table stays empty.
 */
export class UnpricedBatches1790000022000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Each of the items is [at in ms, input tokens, output tokens, provenance, details, nano-dollars, request ID], without nulls at its
    // end. They are json, because jsonb would be parsed when it is written.
    await runner.query(`
      create table unpriced_batches (
        id bigint generated always as identity,
        day date not null,
        key_id uuid not null,
        model text not null,
        answered_model text not null,
        models text[] not null,
        endpoint text not null,
        provider text not null,
        base_url text,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        requests integer not null,
        units jsonb not null,
        items json not null,
        constraint unpriced_batches_pkey primary key (id)
      )`);
    await runner.query(`
      create index unpriced_batches_model on unpriced_batches (answered_model, provider, first_at) include (requests, last_at)`);
    await runner.query('create index unpriced_batches_day on unpriced_batches (day)');
    await runner.query(`
      create function unpriced_usage_moved() returns trigger language plpgsql as $$
      begin
        insert into unpriced_batches (day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at,
                                      requests, units, items)
        values (new.day, new.key_id, new.model, new.answered_model, array(select jsonb_array_elements_text(new.usage -> 'models')),
                new.endpoint, new.provider, new.base_url, new.at, new.at, 1, new.usage -> 'units',
                json_build_array(json_build_array(
                  round(extract(epoch from new.at) * 1000)::bigint, new.usage #> '{usage,inputTokens}', new.usage #> '{usage,outputTokens}',
                  new.usage #> '{usage,provenance}', new.usage -> 'details', new.cost_nanos::text, new.id)));
        return null;
      end $$`);
    await runner.query(`
      create trigger unpriced_usage_moved before insert on unpriced_usage
        for each row execute function unpriced_usage_moved()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger unpriced_usage_moved on unpriced_usage');
    await runner.query('drop function unpriced_usage_moved()');
    // The previous release reads the time of a log row from the ID.
    await runner.query(
      `
      insert into unpriced_usage (id, day, at, key_id, model, answered_model, endpoint, provider, base_url, cost_nanos, usage)
      select coalesce((item ->> 6)::uuid, (left(at_hex, 8) || '-' || right(at_hex, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid),
             day, to_timestamp((item ->> 0)::numeric / 1000), key_id, model, answered_model, endpoint, provider, base_url,
             (item ->> 5)::bigint,
             jsonb_build_object(
               'usage', jsonb_build_object('inputTokens', item -> 1, 'outputTokens', item -> 2, 'provenance', item -> 3),
               'details', case when item ->> 4 is not null then $1::jsonb || (item -> 4)::jsonb end,
               'models', to_jsonb(models),
               'units', jsonb_build_object('input', item -> 1, 'output', item -> 2, 'requests', 1))
        from unpriced_batches
       cross join lateral json_array_elements(items) item
       cross join lateral lpad(to_hex((item ->> 0)::bigint), 12, '0') at_hex`,
      [JSON.stringify(NO_DETAILS)],
    );
    await runner.query('drop table unpriced_batches');
  }
}
