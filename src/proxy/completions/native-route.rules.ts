import type { ModelFacts } from '../../model-policy/registry/model-facts.js';

/**
 * Providers whose chat models have no completions route. OpenAI and Azure have the route only for legacy base models. DeepSeek and
 * Mistral have a similar route at another address. Sources: their API references, November 2026.
 */
const CHAT_ONLY_HOSTS: readonly string[] = [
  'api.openai.com',
  'openai.azure.com',
  'cognitiveservices.azure.com',
  'services.ai.azure.com',
  'azure-api.net',
  'api.anthropic.com',
  'googleapis.com',
  'api.groq.com',
  'api.x.ai',
  'api.mistral.ai',
  'api.deepseek.com',
  'api.cohere.ai',
  'api.cohere.com',
  'api.perplexity.ai',
  'api.moonshot.ai',
  'api.moonshot.cn',
  'api.minimax.io',
  'api.minimaxi.com',
  'api.z.ai',
  'open.bigmodel.cn',
  'router.huggingface.co',
  'api.githubcopilot.com',
  'models.github.ai',
];
/** The region follows: `bedrock-runtime.eu-central-1.amazonaws.com`. */
const BEDROCK = /^bedrock-(?:runtime|mantle)/;

/** True for unknown hosts, because most are inference servers with the route, such as vLLM, llama.cpp and Ollama. */
export const hasCompletionsRoute = ({ hostname }: URL): boolean =>
  !BEDROCK.test(hostname) && !CHAT_ONLY_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));

const CHAT_ONLY_MAKERS: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google']);
/** These makers publish the weights of some models, so inference servers can run them. */
const OPEN_WEIGHTS = /gpt-oss|gemma/i;

/** Whether only the maker can run the model, and only as a chat model. A proxy at an unknown host changes nothing about that. */
export const isChatOnly = (model: string, { provider }: ModelFacts): boolean =>
  provider !== null && CHAT_ONLY_MAKERS.has(provider) && !OPEN_WEIGHTS.test(model);
