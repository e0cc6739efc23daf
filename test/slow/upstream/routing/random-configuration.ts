import fc from 'fast-check';

const MODELS = ['acme-1', 'acme-2', 'acme-3', 'beta-1'] as const;
/** `acme-3` is an alias at some upstreams, and a model at others. */
const ALIASES = ['fast', 'smart', 'acme-3'] as const;
const PATTERNS = ['*', 'acme-*', '*-1', 'fast*', '*a*t*', 'acme-2*'] as const;
const APIS = [['openai'], ['anthropic'], ['openai', 'anthropic']] as const;

/** Each request to an upstream meets one of these. */
const FAULTS = ['none', 'none', 'none', 429, 503, 529, 'refused', 'reset', 'hang', 500, 404] as const;

type Fault = (typeof FAULTS)[number];
export type Api = 'openai' | 'anthropic';

export interface RandomUpstream {
  readonly name: string;
  readonly apis: readonly Api[];
  readonly models: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly repeat_sent: boolean;
  readonly fault: Fault;
  readonly drained: boolean;
}

interface RandomRoute {
  readonly models: string;
  readonly upstreams: readonly (string | { readonly name: string; readonly weight: number })[];
  readonly sticky: 'none' | 'key' | 'conversation';
}

export interface RandomRequest {
  readonly api: Api;
  readonly model: string;
  /** A second model that a chat completion names. */
  readonly nested: string | null;
  readonly stream: boolean;
  /** The index of its key. */
  readonly key: number;
}

export interface Scenario {
  readonly upstreams: readonly RandomUpstream[];
  readonly routes: readonly RandomRoute[];
  /** The allowed models of each key. */
  readonly keys: readonly (readonly string[] | null)[];
  readonly requests: readonly RandomRequest[];
}

const upstream = (name: string): fc.Arbitrary<RandomUpstream> =>
  fc
    .record({
      apis: fc.constantFrom(...APIS),
      models: fc.subarray([...MODELS]),
      targets: fc.array(fc.option(fc.constantFrom('acme-1', 'acme-2', 'beta-1', 'hidden')), {
        minLength: 3,
        maxLength: 3,
      }),
      repeat_sent: fc.boolean(),
      fault: fc.constantFrom(...FAULTS),
      drained: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    })
    .map(({ targets, models, ...rest }) => {
      const aliases = Object.fromEntries(
        ALIASES.map((alias, at) => [alias, targets[at] ?? null] as const).filter(([, target]) => target !== null),
      ) as Record<string, string>;
      const served = models.length === 0 && Object.keys(aliases).length === 0 ? ['acme-1'] : models;
      return { name, ...rest, aliases, models: served };
    });

const route = (names: readonly string[]): fc.Arbitrary<Omit<RandomRoute, 'models'>> =>
  fc
    .record({
      chosen: fc.shuffledSubarray([...names], { minLength: 1 }),
      weights: fc.option(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5, maxLength: 5 })),
      sticky: fc.constantFrom('none' as const, 'key' as const, 'conversation' as const),
    })
    .map(({ chosen, weights, sticky }) => ({
      upstreams: chosen.map((name, at) => (weights === null ? name : { name, weight: weights[at]! })),
      sticky,
    }));

const NAMES = [...MODELS, 'fast', 'smart', 'hidden'] as const;

const request: fc.Arbitrary<RandomRequest> = fc
  .record({
    api: fc.constantFrom('openai' as const, 'openai' as const, 'anthropic' as const),
    model: fc.constantFrom(...NAMES, ...NAMES, 'unknown'),
    nested: fc.option(fc.constantFrom(...NAMES), { freq: 2 }),
    stream: fc.boolean(),
    key: fc.integer({ min: 0, max: 1 }),
  })
  .map((given) =>
    given.api === 'openai' && given.nested !== null && given.key === 0 ? given : { ...given, nested: null },
  );

export const scenario: fc.Arbitrary<Scenario> = fc.integer({ min: 2, max: 5 }).chain((count) => {
  const names = Array.from({ length: count }, (_, at) => `up-${at}`);
  return fc.record({
    upstreams: fc.tuple(...names.map(upstream)),
    routes: fc
      .tuple(
        fc.shuffledSubarray([...PATTERNS], { maxLength: 3 }),
        fc.array(route(names), { minLength: 3, maxLength: 3 }),
      )
      .map(([patterns, routes]) => patterns.map((models, at) => ({ models, ...routes[at]! }))),
    keys: fc.tuple(
      fc.constant(null),
      fc.subarray([...NAMES], { minLength: 1 }).map((allowed): readonly string[] | null => allowed),
    ),
    requests: fc.array(request, { minLength: 8, maxLength: 8 }),
  });
});
