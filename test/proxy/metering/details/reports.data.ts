import type { UsageDetails } from '../../../../src/platform/request-context/token-usage.js';
import { details } from '../../../support/detailed-usage.js';
import type { Route } from '../../../support/metered.js';

type Case = readonly [provider: string, route: Route, usage: object, expected: Partial<UsageDetails> | null];

/** Reports as providers send them. */
export const REPORTS: readonly Case[] = [
  [
    'OpenAI chat',
    'chat',
    {
      ...{ prompt_tokens: 30_946, completion_tokens: 345, total_tokens: 31_291 },
      prompt_tokens_details: { cached_tokens: 30_940, audio_tokens: 0 },
      completion_tokens_details: {
        ...{ reasoning_tokens: 128, audio_tokens: 0 },
        ...{ accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      },
    },
    { cachedInput: 30_940, reasoning: 128 },
  ],
  [
    'OpenAI chat with audio',
    'chat',
    {
      ...{ prompt_tokens: 120, completion_tokens: 90, total_tokens: 210 },
      prompt_tokens_details: { cached_tokens: 30, text_tokens: 20, audio_tokens: 100, image_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, text_tokens: 10, audio_tokens: 80 },
    },
    { cachedInput: 30, audioInput: 100, audioOutput: 80 },
  ],
  [
    'Azure, which reports zeros',
    'chat',
    { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 0 } },
    {},
  ],
  ['a provider without details', 'chat', { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }, null],
  [
    'a provider whose details are null',
    'chat',
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: null, completion_tokens_details: null },
    null,
  ],
  [
    'DeepSeek',
    'chat',
    {
      ...{ prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 20 },
      ...{ prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
    },
    { cachedInput: 64, reasoning: 20 },
  ],
  [
    'Moonshot',
    'chat',
    { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cached_tokens: 80 },
    { cachedInput: 80 },
  ],
  [
    'OpenRouter',
    'chat',
    {
      ...{ prompt_tokens: 194, completion_tokens: 2, total_tokens: 196, cost: 0.00014, is_byok: false },
      prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 100, audio_tokens: 0, video_tokens: 0 },
      cost_details: { upstream_inference_cost: null },
      completion_tokens_details: { reasoning_tokens: 1, image_tokens: 0 },
      server_tool_use: { web_search_requests: 2 },
    },
    { cachedInput: 10, cacheWrite5m: 100, reasoning: 1, webSearches: 2, reportedCostNanoUsd: 140_000 },
  ],
  [
    'OpenRouter with the own key of a customer',
    'chat',
    {
      ...{ prompt_tokens: 194, completion_tokens: 2, cost: 0.0001, is_byok: true },
      cost_details: { upstream_inference_cost: 0.002 },
    },
    { reportedCostNanoUsd: 2_100_000 },
  ],
  [
    'xAI, whose output does not include reasoning',
    'chat',
    {
      ...{ prompt_tokens: 32, completion_tokens: 9, total_tokens: 341, num_sources_used: 3 },
      prompt_tokens_details: { text_tokens: 32, audio_tokens: 0, image_tokens: 0, cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 300, audio_tokens: 0 },
      cost_in_usd_ticks: 37_756_001,
    },
    {
      ...{ cachedInput: 8, reasoning: 300, outputIncludesReasoning: false, webSearches: 3 },
      reportedCostNanoUsd: 3_775_601,
    },
  ],
  [
    'xAI, whose total shows that reasoning is separate',
    'chat',
    {
      ...{ prompt_tokens: 32, completion_tokens: 500, total_tokens: 832 },
      completion_tokens_details: { reasoning_tokens: 300 },
    },
    { reasoning: 300, outputIncludesReasoning: false },
  ],
  [
    'xAI responses',
    'responses',
    {
      ...{ input_tokens: 9212, output_tokens: 3417, total_tokens: 12_629 },
      input_tokens_details: { cached_tokens: 3072 },
      output_tokens_details: { reasoning_tokens: 0 },
      ...{ num_sources_used: 7, num_server_side_tools_used: 5, cost_in_usd_ticks: 318_319_000 },
      server_side_tool_usage_details: {
        ...{ web_search_calls: 1, x_search_calls: 3, code_interpreter_calls: 1 },
        ...{ file_search_calls: 2, mcp_calls: 4, document_search_calls: 5 },
      },
      context_details: { input_tokens: 7622, output_tokens: 3219 },
    },
    { cachedInput: 3072, webSearches: 4, codeExecutions: 1, fileSearches: 7, reportedCostNanoUsd: 31_831_900 },
  ],
  [
    'Perplexity deep research',
    'chat',
    {
      ...{ prompt_tokens: 33, completion_tokens: 11_395, total_tokens: 11_428, citation_tokens: 19_028 },
      ...{ num_search_queries: 21, reasoning_tokens: 9_947, search_context_size: 'low' },
      cost: { input_tokens_cost: 0, output_tokens_cost: 0.091, search_queries_cost: 0.105, total_cost: 0.816 },
    },
    { reasoning: 9_947, outputIncludesReasoning: false, webSearches: 21, reportedCostNanoUsd: 816_000_000 },
  ],
  [
    'Perplexity with nulls',
    'chat',
    {
      ...{ prompt_tokens: 24, completion_tokens: 2681, total_tokens: 2705, citation_tokens: null },
      ...{ num_search_queries: null, reasoning_tokens: null, cost: { total_cost: 0.04629, request_cost: null } },
    },
    { reportedCostNanoUsd: 46_290_000 },
  ],
  [
    'Mistral with audio',
    'chat',
    { prompt_tokens: 150, completion_tokens: 42, total_tokens: 192, prompt_audio_seconds: 30.5, num_cached_tokens: 5 },
    { audioSeconds: 31, cachedInput: 5 },
  ],
  [
    'Gemini in the OpenAI format, whose total alone includes thoughts',
    'chat',
    { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 },
    { reasoning: 405, outputIncludesReasoning: false },
  ],
  [
    'Alibaba with an explicit cache',
    'chat',
    {
      ...{ prompt_tokens: 3019, completion_tokens: 104, total_tokens: 3123 },
      prompt_tokens_details: {
        ...{ cached_tokens: 0, cache_creation_input_tokens: 2048, cache_type: 'ephemeral' },
        cache_creation: { ephemeral_5m_input_tokens: 2048 },
      },
    },
    { cacheWrite5m: 2048 },
  ],
  [
    'a proxy with Anthropic counts in the OpenAI format',
    'chat',
    { prompt_tokens: 12, completion_tokens: 5, cache_read_input_tokens: 400, cache_creation_input_tokens: 60 },
    { inputIncludesCache: false, cachedInput: 400, cacheWrite5m: 60 },
  ],
  [
    'a proxy whose total includes separate cache reads',
    'chat',
    {
      ...{ prompt_tokens: 500, completion_tokens: 5, total_tokens: 905 },
      prompt_tokens_details: { cached_tokens: 400 },
    },
    { cachedInput: 400 },
  ],
  [
    'OpenAI responses',
    'responses',
    {
      ...{ input_tokens: 36, output_tokens: 87, total_tokens: 123 },
      input_tokens_details: { cache_write_tokens: 6, cached_tokens: 16 },
      output_tokens_details: { reasoning_tokens: 64 },
    },
    { cachedInput: 16, cacheWrite5m: 6, reasoning: 64 },
  ],
  [
    'Anthropic',
    'messages',
    {
      ...{ input_tokens: 21, output_tokens: 393, cache_read_input_tokens: 188_086 },
      cache_creation_input_tokens: 556,
      cache_creation: { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 },
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2, code_execution_requests: 1 },
      ...{ service_tier: 'priority', inference_geo: 'us', speed: 'standard' },
    },
    {
      ...{ inputIncludesCache: false, cachedInput: 188_086, cacheWrite5m: 456, cacheWrite1h: 100 },
      ...{ webSearches: 3, codeExecutions: 1, serviceTier: 'priority', region: 'us' },
    },
  ],
  [
    'Anthropic in fast mode, without the lifetime of cache writes',
    'messages',
    {
      ...{ input_tokens: 21, output_tokens: 393, cache_creation_input_tokens: 50, cache_creation: null },
      ...{ server_tool_use: null, service_tier: 'standard', speed: 'fast', inference_geo: null },
    },
    { inputIncludesCache: false, cacheWrite5m: 50, serviceTier: 'fast' },
  ],
  [
    'Anthropic with thinking',
    'messages',
    { input_tokens: 21, output_tokens: 393, output_tokens_details: { thinking_tokens: 300 } },
    { inputIncludesCache: false, reasoning: 300 },
  ],
  [
    'Anthropic with a compaction and an advisor',
    'messages',
    {
      ...{ input_tokens: 4, output_tokens: 30, cache_read_input_tokens: 500, cache_creation_input_tokens: 80 },
      cache_creation: { ephemeral_5m_input_tokens: 80, ephemeral_1h_input_tokens: 0 },
      iterations: [
        { type: 'compaction', input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 50 },
        { type: 'message', input_tokens: 2, output_tokens: 10, cache_read_input_tokens: 200 },
        { type: 'advisor_message', model: 'x', input_tokens: 900, output_tokens: 7, cache_read_input_tokens: 0 },
        null,
        {
          ...{ type: 'message', input_tokens: 2, output_tokens: 20, cache_read_input_tokens: 300 },
          ...{ cache_creation_input_tokens: 90, cache_creation: { ephemeral_1h_input_tokens: 90 } },
        },
      ],
    },
    {
      ...{ inputIncludesCache: false, cachedInput: 550, cacheWrite5m: 80, cacheWrite1h: 90 },
      others: [
        {
          ...{ model: 'x', included: true, inputTokens: 900, outputTokens: 7 },
          details: details({ inputIncludesCache: false }),
        },
      ],
    },
  ],
  [
    'OpenAI images',
    'media',
    {
      ...{ input_tokens: 1618, output_tokens: 440, total_tokens: 2058 },
      input_tokens_details: { image_tokens: 1476, text_tokens: 142 },
      output_tokens_details: { image_tokens: 440, text_tokens: 0 },
    },
    { imageInput: 1476, imageOutput: 440 },
  ],
  [
    'OpenAI transcription in tokens',
    'media',
    {
      ...{ type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 },
      input_token_details: { text_tokens: 0, audio_tokens: 14 },
    },
    { audioInput: 14 },
  ],
  ['OpenAI transcription in seconds', 'media', { type: 'duration', seconds: 9 }, { audioSeconds: 9 }],
  ['Mistral transcription in seconds', 'media', { prompt_audio_seconds: 2 }, { audioSeconds: 2 }],
  [
    'Mistral transcription',
    'media',
    { prompt_audio_seconds: 3, prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
    { audioSeconds: 3 },
  ],
  [
    'cached audio',
    'responses',
    {
      ...{ input_tokens: 1200, output_tokens: 800 },
      input_token_details: {
        ...{ cached_tokens: 400, audio_tokens: 500, text_tokens: 700 },
        cached_tokens_details: { text_tokens: 300, audio_tokens: 100 },
      },
      output_token_details: { audio_tokens: 600, text_tokens: 200 },
    },
    { cachedInput: 400, audioInput: 500, cachedAudioInput: 100, audioOutput: 600 },
  ],
  ['embeddings', 'embeddings', { prompt_tokens: 8, total_tokens: 8 }, null],
  [
    'embeddings of images',
    'embeddings',
    { prompt_tokens: 8, total_tokens: 8, prompt_tokens_details: { image_tokens: 6, text_tokens: 2 } },
    { imageInput: 6 },
  ],
];
