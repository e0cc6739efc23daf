import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rejectionOfTwoReadings } from '../../../src/proxy/pipeline/body/json-body.js';
import type { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { surveyOf } from '../../../src/platform/json/field-names.js';
import { parseJson } from '../../../src/platform/json/parse-json.js';
import { bodyWith, nameOf, pathOf, placesOf, type BodyPlace } from '../../support/vendor-schemas/body-places.js';
import { vendorTypes } from '../../support/vendor-schemas/request-methods.js';
import { CONFIG, CURRENT, World, contextFor, routeFor } from '../../model-policy/fakes.js';

const ALLOWED = 'allowed-model';
const FORBIDDEN = 'forbidden-model';

/** Routes that the gateway does not serve, because they administer an organization. */
const NOT_SERVED = /^\/v1\/(?:organizations?|projects|compliance|user_profiles)\b/;

/** Places that are named like a model but do not contain a model name. */
const NOT_MODELS: readonly (readonly [path: RegExp, reason: string])[] = [
  [/(?:^|\.)fallback_credit_token$/, 'a token of an earlier refusal'],
  [/(?:^|\.)model_sample$/, 'the text that a grader evaluates'],
  [/\.content\[\]\.(?:from|to)\.model$/, 'the record of an earlier fallback, echoed by the client'],
  [/\.svg_usage\.model$/, 'the usage of an earlier response, echoed by the client'],
];

const isModel = (place: BodyPlace): boolean =>
  place.content !== 'free' &&
  (place.isTypedAsModel || /model|fallback/i.test(nameOf(place)) || /(?:^|\.)model\.id$/.test(pathOf(place))) &&
  !NOT_MODELS.some(([path]) => path.test(pathOf(place)));

interface Place {
  readonly endpoint: string;
  readonly place: BodyPlace;
  /** For example `openai.responses.create input[].tools[].model (text)`. */
  readonly title: string;
}

const places: Place[] = [];
const worlds: World[] = [];

beforeAll(async () => {
  const { checker, methods } = vendorTypes();
  const known = new Set<string>();
  for (const { name, endpoint, body } of methods) {
    if (NOT_SERVED.test(endpoint)) continue;
    for (const place of placesOf(checker, body)) {
      // Overloads of a method share most places.
      const identity = JSON.stringify([name, place.steps, place.content]);
      if (!known.has(identity)) places.push({ endpoint, place, title: `${name} ${pathOf(place)} (${place.content})` });
      known.add(identity);
    }
  }
  for (const config of [CONFIG, CURRENT]) {
    worlds.push(await World.serving([ALLOWED, FORBIDDEN], { policies: { [ALLOWED]: true }, config }));
  }
});
afterAll(() => worlds.forEach((world) => world.stop()));

/** Runs stages 4 and 5 for a request with this body. Returns the refusal or null. */
function refusalOf(world: World, endpoint: string, text: string): GatewayError | null {
  const body = Buffer.from(text);
  const json = parseJson(body) as Record<string, unknown>;
  const ctx = contextFor(endpoint, json, [ALLOWED]);
  // Overrides `defaulted`, which would reject bodies without a model.
  ctx.route = { ...routeFor(endpoint), model: 'gated' };
  ctx.body.namesModelsInside = surveyOf(json).namesModelsInside;
  const spellings = world === worlds[1] ? 'everywhere' : 'known-fields';
  return rejectionOfTwoReadings(body, json, spellings) ?? world.gate.judge(ctx);
}

const codeOf = (refusal: GatewayError | null): string =>
  refusal === null ? 'passes' : `${refusal.status} ${refusal.code}`;

/** Returns the titles of the places whose body does not get the expected result, in either profile. */
function unexpectedResults(chosen: readonly Place[], textOf: (place: BodyPlace) => string, expected: string): string[] {
  return chosen.flatMap(({ endpoint, place, title }) =>
    worlds
      .map((world) => codeOf(refusalOf(world, endpoint, textOf(place))))
      .filter((code) => code !== expected)
      .map((code) => `${title}: ${code}`),
  );
}

const written = (place: BodyPlace, value: unknown): string =>
  JSON.stringify(bodyWith(place, place.content === 'texts' ? [value] : value));
/** Adds an allowed model at the top level of the body. */
const besideModel = (text: string): string => `{"model":"${ALLOWED}",${text.slice(1)}`;

describe('request bodies from the types of the vendor SDKs', () => {
  test('the walk through the types finds known places of model names', () => {
    const found = new Set(places.filter(({ place }) => isModel(place)).map(({ title }) => title));
    for (const title of [
      'openai.responses.create model (text)',
      'openai.responses.create input[].tools[].model (text)',
      'openai.responses.inputTokens.count tools[].model (text)',
      'openai.fineTuning.jobs.create method.reinforcement.grader.model (text)',
      'openai.evals.create testing_criteria[].model (text)',
      'openai.evals.runs.create data_source.model (text)',
      'openai.conversations.create items[].tools[].model (text)',
      'openai.realtime.clientSecrets.create session.audio.input.transcription.model (text)',
      'openai.chat.completions.create moderation.model (text)',
      'anthropic.beta.messages.create fallbacks[].model (text)',
      'anthropic.beta.messages.batches.create requests[].params.tools[].model (text)',
      'anthropic.beta.messages.create messages[].content[].tool.definition.model (text)',
    ]) {
      expect(found).toContain(title);
    }
  });

  test('rejects a forbidden model in every place that names a model', () => {
    const models = places.filter(({ place }) => isModel(place));
    expect(models.length).toBeGreaterThan(100);
    expect(unexpectedResults(models, (place) => written(place, FORBIDDEN), '403 model_not_allowed')).toEqual([]);
    // Both models fit this route.
    const nested = models
      .filter(({ place }) => place.steps[0]!.name !== 'model')
      .map((place) => ({ ...place, endpoint: '/v1/chat/completions' }));
    const beside = (place: BodyPlace) => besideModel(written(place, FORBIDDEN));
    expect(unexpectedResults(nested, beside, '403 model_not_allowed')).toEqual([]);
  });

  test('accepts an allowed model in every nested place that names a model', () => {
    const nested = places.filter(({ place }) => isModel(place) && place.steps.length > 1);
    expect(unexpectedResults(nested, (place) => written(place, ALLOWED), 'passes')).toEqual([]);
  });

  test.each([
    ['unescaped', (name: string) => JSON.stringify(name)],
    ['with an escape', (name: string) => `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`],
  ])('rejects a repeated model field, the second one %s, in every place', (_how, spelled) => {
    const models = places.filter(({ place }) => isModel(place) && place.content === 'text');
    for (const values of [
      [ALLOWED, FORBIDDEN],
      [FORBIDDEN, ALLOWED],
    ] as const) {
      const twice = (place: BodyPlace) => {
        const name = nameOf(place);
        const once = `${JSON.stringify(name)}:"${values[0]}"`;
        return written(place, values[0]).replace(once, `${once},${spelled(name)}:"${values[1]}"`);
      };
      expect(unexpectedResults(models, twice, '400 invalid_value')).toEqual([]);
    }
  });

  test.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with a capital', (name: string) => name.charAt(0).toUpperCase() + name.slice(1)],
    ['with a NUL at its end', (name: string) => `${name}\0`],
  ])('rejects the name of a model field %s, in every place', (_how, otherName) => {
    const models = places.filter(({ place }) => isModel(place) && place.content === 'text');
    const other = (place: BodyPlace) => {
      const name = nameOf(place);
      // `model: {id}` is read as `model`, so that the name of the outer field counts.
      const written_ = name === 'id' ? 'model' : name;
      return written(place, FORBIDDEN).replace(
        `${JSON.stringify(written_)}:`,
        `${JSON.stringify(otherName(written_))}:`,
      );
    };
    expect(unexpectedResults(models, other, '400 invalid_value')).toEqual([]);
  });

  test('accepts model names anywhere in free-form data', () => {
    const free = places.filter(({ place }) => place.content === 'free');
    expect(free.length).toBeGreaterThan(100);
    const anything = {
      model: FORBIDDEN,
      models: [FORBIDDEN],
      fallbacks: [FORBIDDEN],
      a_model: FORBIDDEN,
      type: 'x',
      tools: [{ type: 'x', model: FORBIDDEN }],
      inner: [{ model: { id: FORBIDDEN } }],
      messages: [],
      Model: FORBIDDEN,
      A_MODEL: FORBIDDEN,
      Type: 'x',
      Tools: [{ Type: 'x' }],
      Content: 'x',
      N: 1,
      ID: 2,
    };
    expect(unexpectedResults(free, (place) => written(place, anything), 'passes')).toEqual([]);
    expect(unexpectedResults(free, (place) => written(place, [anything]), 'passes')).toEqual([]);
  });

  test('accepts any text in places that do not name a model', () => {
    const texts = places.filter(({ place }) => place.content !== 'free' && !isModel(place));
    expect(texts.length).toBeGreaterThan(1_000);
    const tested = texts.filter(({ place }) => !NOT_MODELS.some(([path]) => path.test(pathOf(place))));
    expect(unexpectedResults(tested, (place) => written(place, FORBIDDEN), 'passes')).toEqual([]);
    expect(tested.length).toBeLessThan(texts.length);
  });

  test.each(NOT_MODELS)('accepts any value for %s, because it is %s', (path) => {
    const chosen = places.filter(({ place }) => path.test(pathOf(place)) && place.content !== 'free');
    expect(chosen.length).toBeGreaterThan(0);
    expect(unexpectedResults(chosen, (place) => written(place, FORBIDDEN), 'passes')).toEqual([]);
  });
});
