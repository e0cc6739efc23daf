/** `realtime` is the gateway's own: such a model is listed without a category and fits no route (D12). */
export const MODEL_CATEGORIES = ['chat', 'embedding', 'image', 'tts', 'transcription', 'ocr', 'realtime'] as const;
export type ModelCategory = (typeof MODEL_CATEGORIES)[number];

/** A path that takes a model. */
interface Endpoint {
  /** Kinds of models that fit it. */
  readonly takes: readonly ModelCategory[];
  /** Of the chat models only those of these makers. */
  readonly makers?: readonly string[];
  /** It takes models that complete text and know no chat (D10). */
  readonly legacyBase?: true;
  /** The end of a `model_endpoint_mismatch` message, told to a chat model that does not fit; left out: every one does. */
  readonly hint?: string;
}

const endpoints = <Path extends string>(table: Readonly<Record<Path, Endpoint>>): Readonly<Record<Path, Endpoint>> =>
  table;

/** In the order of `gw_endpoints`. A path without a row takes any model, unless it is below a path with a row (D9). Source: docs/behaviour.md, "Model entry", "Errors". */
export const ENDPOINTS = endpoints({
  '/v1/chat/completions': { takes: ['chat', 'ocr'] },
  // Every maker's chat models are emulated there.
  '/v1/completions': { takes: ['chat'], legacyBase: true },
  '/v1/responses': {
    ...{ takes: ['chat'], makers: ['openai'] },
    hint: "only OpenAI's own text model families are supported on this route.",
  },
  '/v1/messages': {
    ...{ takes: ['chat'], makers: ['anthropic', 'google'] },
    hint: 'this route needs a chat model of Anthropic or Google.',
  },
  '/v1/embeddings': { takes: ['embedding'], hint: 'this route needs an embedding model.' },
  '/v1/images/generations': { takes: ['image'], hint: 'this route needs an image model.' },
  '/v1/images/edits': { takes: ['image'], hint: 'this route needs an image model.' },
  '/v1/audio/speech': { takes: ['tts'], hint: 'this route needs a text-to-speech (tts) model.' },
  '/v1/audio/transcriptions': { takes: ['transcription'], hint: 'this route needs a transcription model.' },
});

/** As `gw_endpoints` names them. */
export type ModelEndpoint = keyof typeof ENDPOINTS;
export const MODEL_ENDPOINTS = Object.keys(ENDPOINTS) as ModelEndpoint[];

/** `gw_endpoints` of the models that only complete text. */
export const LEGACY_BASE_ENDPOINTS = MODEL_ENDPOINTS.filter((path) => ENDPOINTS[path].legacyBase === true);

/** `gw_endpoints` of a model of this category and provider. */
export const endpointsOf = (category: ModelCategory, provider: string | null): readonly ModelEndpoint[] =>
  MODEL_ENDPOINTS.filter((path) => {
    const { takes, makers }: Endpoint = ENDPOINTS[path];
    const fitsMaker = category !== 'chat' || makers === undefined || (provider !== null && makers.includes(provider));
    return takes.includes(category) && fitsMaker;
  });
