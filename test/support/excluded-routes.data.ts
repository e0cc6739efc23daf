const ADMINISTRATION = 'administration of an organization or project';
const HOSTED_AGENTS = 'hosted agents and their resources';

/** The reasons why the gateway does not serve some routes of the SDKs. An entry covers the path and everything below it. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  '/v1/organization': ADMINISTRATION,
  '/v1/organizations': ADMINISTRATION,
  '/v1/projects': ADMINISTRATION,
  '/v1/compliance': ADMINISTRATION,
  '/v1/fine_tuning/checkpoints': `${ADMINISTRATION}: it requires one of the provider's admin keys`,
  '/v1/safety': ADMINISTRATION,
  '/v1/webhook_endpoints': ADMINISTRATION,
  '/v1/webhook_event_types': ADMINISTRATION,
  '/v1/user_profiles': ADMINISTRATION,
  '/v1/tunnels': ADMINISTRATION,
  '/v1/agents': HOSTED_AGENTS,
  '/v1/chatkit': HOSTED_AGENTS,
  '/v1/deployments': HOSTED_AGENTS,
  '/v1/deployment_runs': HOSTED_AGENTS,
  '/v1/dreams': HOSTED_AGENTS,
  '/v1/environments': HOSTED_AGENTS,
  '/v1/memory_stores': HOSTED_AGENTS,
  '/v1/sessions': HOSTED_AGENTS,
  '/v1/vaults': HOSTED_AGENTS,
  'DELETE /v1/models/{}': 'it destroys a fine-tuned model of the shared account',
  'POST /v1/realtime/calls':
    'the model is named inside a part of a WebRTC form; a client secret serves browsers instead',
};
