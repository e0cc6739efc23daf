-- Adds usage that was reported later to the costs of its request. $1 changes
update cost_daily u
   set cost_nanos = bounded_sum(u.cost_nanos + g.cost_nanos), unpriced_requests = u.unpriced_requests + g.unpriced_requests,
       input = u.input + g.input, cached_input = u.cached_input + g.cached_input,
       cache_write_5m = u.cache_write_5m + g.cache_write_5m, cache_write_1h = u.cache_write_1h + g.cache_write_1h,
       output = u.output + g.output, reasoning = u.reasoning + g.reasoning, audio_input = u.audio_input + g.audio_input,
       cached_audio_input = u.cached_audio_input + g.cached_audio_input, audio_output = u.audio_output + g.audio_output,
       image_input = u.image_input + g.image_input, image_output = u.image_output + g.image_output,
       web_searches = u.web_searches + g.web_searches, file_searches = u.file_searches + g.file_searches,
       code_executions = u.code_executions + g.code_executions, images = u.images + g.images,
       audio_seconds = u.audio_seconds + g.audio_seconds, characters = u.characters + g.characters
  from jsonb_to_record($1::jsonb) as g(
         day date, key_id uuid, model text, endpoint text, provider text, cost_nanos numeric, unpriced_requests bigint,
         input bigint, cached_input bigint, cache_write_5m bigint, cache_write_1h bigint, output bigint, reasoning bigint,
         audio_input bigint, cached_audio_input bigint, audio_output bigint, image_input bigint, image_output bigint,
         web_searches bigint, file_searches bigint, code_executions bigint, images bigint, audio_seconds bigint, characters bigint)
 where u.day = g.day and u.key_id = g.key_id and u.model = g.model and u.endpoint = g.endpoint and u.provider = g.provider
