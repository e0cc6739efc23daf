export const MODEL_CATEGORIES = ['chat', 'embedding', 'image', 'tts', 'transcription', 'ocr', 'realtime'] as const;
export type ModelCategory = (typeof MODEL_CATEGORIES)[number];

/** A realtime model fits no route, so clients and operators see it without a category and without endpoints (D12). */
export type ListedCategory = Exclude<ModelCategory, 'realtime'>;
export const LISTED_CATEGORIES = MODEL_CATEGORIES.filter((category) => category !== 'realtime');

interface Endpoint {
  readonly takes: readonly ModelCategory[];
  readonly makers?: readonly string[];
  readonly legacyBase?: true;
  /** Hint of `model_endpoint_mismatch` for a chat model that does not fit. Omitted if every chat model fits. */
  readonly hint?: string;
}

const endpoints = <Path extends string>(table: Readonly<Record<Path, Endpoint>>): Readonly<Record<Path, Endpoint>> =>
  table;

/**
 * Routes that restrict their models, in the order of `gw_endpoints`. Other routes accept any model, except subroutes of these
 * (D9). The hints are part of the API contract.
 */
export const ENDPOINTS = endpoints({
  '/v1/chat/completions': { takes: ['chat', 'ocr'] },
  // The gateway emulates this route for all chat models.
  '/v1/completions': { takes: ['chat'], legacyBase: true },
  '/v1/responses': {
    takes: ['chat'],
    makers: ['openai'],
    hint: "only OpenAI's own text model families are supported on this route.",
  },
  '/v1/messages': {
    takes: ['chat'],
    makers: ['anthropic', 'google'],
    hint: 'this route needs a chat model of Anthropic or Google.',
  },
  '/v1/embeddings': { takes: ['embedding'], hint: 'this route needs an embedding model.' },
  '/v1/images/generations': { takes: ['image'], hint: 'this route needs an image model.' },
  '/v1/images/edits': { takes: ['image'], hint: 'this route needs an image model.' },
  '/v1/audio/speech': { takes: ['tts'], hint: 'this route needs a text-to-speech (tts) model.' },
  '/v1/audio/transcriptions': { takes: ['transcription'], hint: 'this route needs a transcription model.' },
});

export type ModelEndpoint = keyof typeof ENDPOINTS;
export const MODEL_ENDPOINTS = Object.keys(ENDPOINTS) as ModelEndpoint[];

export const LEGACY_BASE_ENDPOINTS = MODEL_ENDPOINTS.filter((path) => ENDPOINTS[path].legacyBase === true);

export const endpointsOf = (category: ModelCategory, provider: string | null): readonly ModelEndpoint[] =>
  MODEL_ENDPOINTS.filter((path) => {
    const { takes, makers }: Endpoint = ENDPOINTS[path];
    const fitsMaker = category !== 'chat' || makers === undefined || (provider !== null && makers.includes(provider));
    return takes.includes(category) && fitsMaker;
  });
