/** Exports in the vendors' formats, written by hand. Names and values are invented. */
const OPENAI_COSTS = [
  'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_id,organization_name',
  '1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,1.2345678900000000,usd,"gpt-5-mini-2025-08-07, input",proj_1,org-1,Example',
  '1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,0.5000000000000000,usd,"gpt-5-mini-2025-08-07, output",proj_1,org-1,Example',
  '1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,2,usd,"gpt-4o-2024-08-06, cached input",proj_2,org-1,Example',
  '1790899200,1790985600,2026-10-02T00:00:00+00:00,2026-10-03T00:00:00+00:00,,,,,,',
  '1790985600,1791072000,2026-10-03T00:00:00+00:00,2026-10-04T00:00:00+00:00,0.0000000000600000,usd,"gpt-5-mini-2025-08-07, input",proj_1,org-1,Example',
];

const OPENAI_USAGE = [
  'start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens',
  '1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,proj_1,10.0,user-1,key_1,gpt-4o-2024-08-06,FALSE,default,59200.0,10646.0,5760.0,53440.0',
  '1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,proj_1,1.0,user-1,key_2,gpt-4o-2024-08-06,FALSE,default,800.0,54.0,0.0,800.0',
  '1790899200,1790985600,2026-10-02T00:00:00+00:00,2026-10-03T00:00:00+00:00,,,,,,,,,,,',
];

const ANTHROPIC_COSTS = [
  'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed',
  '2026-10-01,Claude Haiku 4.5,Default,demo,message,≤ 200k,input_no_cache,0.05,0.05,token,not_available,',
  '2026-10-01,Claude Haiku 4.5,Default,demo,message,≤ 200k,output,0.02,0.02,token,not_available,',
  '2026-10-02,Claude 3.5 Sonnet 2024-10-22,"Acme, Inc",demo,message,≤ 200k,output,0.30,0.30,token,not_available,',
];

const ANTHROPIC_USAGE = [
  'usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed',
  '2026-10-01 02:00,claude-haiku-4-5-20251001,demo,Default,standard,≤ 200k,1000,200,30,4000,500,2,not_available,',
  '2026-10-01 03:00,claude-haiku-4-5-20251001,demo,Default,standard,≤ 200k,1,0,0,0,5,0,not_available,',
];

const textOf = (lines: readonly string[], end = '\n') => lines.join(end) + end;

export const EXPORTS = {
  openai_costs: textOf(OPENAI_COSTS),
  openai_usage: textOf(OPENAI_USAGE),
  // The vendors' files can have these too.
  anthropic_costs: `\ufeff${textOf(ANTHROPIC_COSTS, '\r\n')}`,
  anthropic_usage: textOf(ANTHROPIC_USAGE),
} as const;
