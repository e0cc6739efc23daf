const LOGGING =
  'The gateway does not send prompts and responses to other services. Use its metrics, traces, events and logs.';
const CACHE = 'The gateway does not cache responses.';
const GUARDRAILS = 'The gateway does not inspect or change contents.';
const TRANSLATION = 'The gateway forwards requests unchanged, and never translates or completes them.';
const SETTINGS = 'The gateway has settings for this: docs/settings.md.';
const OPERATORS = 'Operators sign in to the dashboard with accounts of the gateway.';

/** Why known fields of LiteLLM's configuration are not imported, by field. */
export const REASONS: Readonly<Record<string, string>> = {
  'litellm_settings.cache': CACHE,
  'litellm_settings.cache_params': CACHE,
  'litellm_settings.callbacks': LOGGING,
  'litellm_settings.success_callback': LOGGING,
  'litellm_settings.failure_callback': LOGGING,
  'litellm_settings.service_callback': LOGGING,
  'litellm_settings.audit_log_callbacks': LOGGING,
  'litellm_settings.drop_params': TRANSLATION,
  'litellm_settings.modify_params': TRANSLATION,
  'litellm_settings.guardrails': GUARDRAILS,
  'litellm_settings.request_timeout': 'Timeouts apply per upstream: `timeouts` in the upstreams file.',
  'litellm_settings.num_retries':
    'A request moves to another upstream after an error, and is not repeated at the same one.',
  'litellm_settings.default_team_settings': 'Each team has its own limits.',
  'litellm_settings.max_budget': 'Set a limit with the scope `account`: npm run cli -- limit set --scope account.',
  'litellm_settings.budget_duration': 'Set a limit with the scope `account`: npm run cli -- limit set --scope account.',
  'router_settings.num_retries':
    'A request moves to another upstream after an error, and is not repeated at the same one.',
  'router_settings.allowed_fails': 'The gateway decides from the errors of an upstream when to avoid it.',
  'router_settings.allowed_fails_policy': 'The gateway decides from the errors of an upstream when to avoid it.',
  'router_settings.cooldown_time': 'The gateway decides from the errors of an upstream how long to avoid it.',
  'router_settings.retry_policy':
    'The field `failover_statuses` of an upstream lists the statuses that move a request.',
  'router_settings.timeout': 'Timeouts apply per upstream: `timeouts` in the upstreams file.',
  'router_settings.redis_host': 'Counts are kept in PostgreSQL.',
  'router_settings.redis_port': 'Counts are kept in PostgreSQL.',
  'router_settings.redis_password': 'Counts are kept in PostgreSQL.',
  'router_settings.redis_url': 'Counts are kept in PostgreSQL.',
  'router_settings.default_fallbacks': 'A request never moves to another model because of an outage.',
  'general_settings.master_key': 'Set GW_ADMIN_API_KEYS to a new key for the Admin API.',
  'general_settings.database_url': 'The gateway has its own database: DATABASE_URL.',
  'general_settings.alerting': 'Add a webhook: docs/operating.md.',
  'general_settings.alerting_threshold': 'Add a webhook: docs/operating.md.',
  'general_settings.alert_types': 'Add a webhook: docs/operating.md.',
  'general_settings.max_parallel_requests': 'Set a limit of concurrent requests with the scope `account`.',
  'general_settings.global_max_parallel_requests': 'Set a limit of concurrent requests with the scope `account`.',
  'general_settings.pass_through_endpoints': 'GW_ROUTES=all forwards all routes of a provider.',
  'general_settings.ui_access_mode': OPERATORS,
  'general_settings.enable_jwt_auth': 'Callers use the API keys of the gateway.',
  'general_settings.litellm_jwtauth': 'Callers use the API keys of the gateway.',
  'general_settings.store_model_in_db': 'Models that LiteLLM keeps in its database are encrypted, and cannot be read.',
  'general_settings.proxy_batch_write_at': SETTINGS,
  'general_settings.database_connection_pool_limit': SETTINGS,
  'general_settings.allowed_ips': 'Limit the addresses at the reverse proxy or with a network policy.',
  guardrails: GUARDRAILS,
  prompts: 'The gateway does not store prompts.',
  mcp_servers: 'The gateway does not connect to MCP servers.',
  vector_store_registry: TRANSLATION,
  environment_variables: 'Set the variables in the environment of the gateway.',
  finetune_settings: 'GW_ROUTES=all forwards the routes for fine-tuning.',
  files_settings: 'GW_ROUTES=all forwards the routes for files.',
};

/** Why known fields of `litellm_params` and `model_info` are not imported. */
export const PARAM_REASONS: Readonly<Record<string, string>> = {
  timeout: 'Timeouts apply per upstream: set `timeouts` in the upstreams file.',
  stream_timeout: 'Timeouts apply per upstream: set `timeouts` in the upstreams file.',
  max_retries: 'A request moves to another upstream after an error, and is not repeated at the same one.',
  num_retries: 'A request moves to another upstream after an error, and is not repeated at the same one.',
  temperature: TRANSLATION,
  max_tokens: TRANSLATION,
  max_completion_tokens: TRANSLATION,
  top_p: TRANSLATION,
  drop_params: TRANSLATION,
  additional_drop_params: TRANSLATION,
  extra_body: TRANSLATION,
  input_cost_per_token: 'Set the price of the model: npm run cli -- price set.',
  output_cost_per_token: 'Set the price of the model: npm run cli -- price set.',
  cache_read_input_token_cost: 'Set the price of the model: npm run cli -- price set.',
  cache_creation_input_token_cost: 'Set the price of the model: npm run cli -- price set.',
  input_cost_per_second: 'Set the price of the model: npm run cli -- price set.',
  max_budget: 'A limit counts the requests of callers. Set one with `models`.',
  budget_duration: 'A limit counts the requests of callers. Set one with `models`.',
  tags: 'Requests are not routed by tags.',
  mock_response: 'The sandbox provider returns test responses: docs/sandbox.md.',
  guardrails: GUARDRAILS,
};

/** Fields that describe a model to LiteLLM only. They need no counterpart. */
export const DESCRIPTIVE: ReadonlySet<string> = new Set([
  'id',
  'mode',
  'base_model',
  'description',
  'access_groups',
  'max_input_tokens',
  'max_output_tokens',
  'litellm_provider',
  'db_model',
  'health_check_model',
  'health_check_timeout',
  'disable_background_health_check',
]);
