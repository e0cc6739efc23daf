import { describe, expect, test } from '@jest/globals';
import { ImageEditRequest, ImageGenerationRequest } from '../../../src/proxy/images/images.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { FormFile } from '../../../src/platform/validation/form-kinds.js';
import { booleans, integers, names, needed, passes, rejected, type Row } from '../../support/field-rows.js';
import { fileRows, formIntegers, formNames, formTexts, violationOrder, violationBy } from './form-rows.js';

const PNG = new FormFile('a.png', 10);
const GENERATION = { model: 'gpt-image-1', prompt: 'A lighthouse' };
const EDIT = { image: PNG, prompt: 'Make it red' };

const GENERATION_TABLE: Record<string, Row[]> = {
  model: [
    ...passes('model', ['', 'm'.repeat(200)]),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, [], {}]),
  ],
  prompt: [...passes('prompt', ['', 'x'.repeat(40_000)]), ...needed('prompt', [5, true, ['a'], {}])],
  n: [
    ...integers('n', { min: 1, max: 10 }),
    ...rejected('unsupported_value', 'n', ['dall-e-3', 'openai/dall-e-3'], (model) => ({ model, n: 2 })),
    ...passes('n', [1, null], (n) => ({ model: 'dall-e-3', n })),
    ...passes('n', ['dall-e-2', 'dall-e-30', 'my-dall-e-3'], (model) => ({ model, n: 2 })),
  ],
  size: [
    ...passes('size', ['1024x1024', '', 'auto', null]),
    ...rejected('invalid_type', 'size', [1024, true, ['a'], {}]),
  ],
  quality: names('quality', ['standard', 'hd', 'low', 'medium', 'high', 'auto']),
  response_format: names('response_format', ['url', 'b64_json']),
  output_format: names('output_format', ['png', 'jpeg', 'webp']),
  output_compression: integers('output_compression', { min: 0, max: 100 }),
  stream: booleans('stream'),
  partial_images: integers('partial_images', { min: 0, max: 3 }),
  moderation: names('moderation', ['low', 'auto']),
  background: names('background', ['transparent', 'opaque', 'auto']),
  style: names('style', ['vivid', 'natural']),
  user: [
    ...passes('user', ['', 'u'.repeat(256), null]),
    ...rejected('invalid_value', 'user', ['u'.repeat(257)]),
    ...rejected('invalid_type', 'user', [5, true, ['a'], {}]),
  ],
};

const several = (value: unknown) => ({ image: undefined, 'image[]': value });

const EDIT_TABLE: Record<string, Row[]> = {
  image: [
    ...fileRows('image', { required: true, several: true }),
    ...passes('image', [PNG, [PNG, PNG]], several),
    ...passes('image', [PNG, [PNG, PNG]], (value) => ({ 'image[]': value })),
    ...rejected('invalid_type', 'image', ['text', [PNG, 'text']], several),
  ],
  prompt: [
    ...rejected('missing_required_parameter', 'prompt', [undefined]),
    ...formTexts('prompt', ['x', 'x'.repeat(40_000)], ['']),
  ],
  mask: fileRows('mask'),
  model: formTexts('model', ['', 'm'.repeat(200)], ['m'.repeat(201)]),
  n: [
    ...formIntegers('n', { min: 1, max: 10 }),
    ...rejected('unsupported_value', 'n', ['dall-e-3', 'openai/dall-e-3'], (model) => ({ model, n: '2' })),
    ...passes('n', ['1', undefined], (n) => ({ model: 'dall-e-3', n })),
    ...passes('n', ['dall-e-2', 'dall-e-30', 'my-dall-e-3'], (model) => ({ model, n: '2' })),
  ],
  size: formTexts('size', ['1024x1024', ''], []),
  response_format: formNames('response_format', ['url', 'b64_json']),
  output_format: formNames('output_format', ['png', 'jpeg', 'webp']),
  output_compression: formIntegers('output_compression', { min: 0, max: 100 }),
  background: formNames('background', ['transparent', 'opaque', 'auto']),
  input_fidelity: formNames('input_fidelity', ['high', 'low']),
  stream: formNames('stream', ['true', 'false']),
  partial_images: formIntegers('partial_images', { min: 0, max: 3 }),
  quality: formNames('quality', ['standard', 'low', 'medium', 'high', 'auto']),
  user: formTexts('user', ['', 'u'.repeat(256)], ['u'.repeat(257)]),
};

describe.each([
  {
    what: 'an image generation',
    Dto: ImageGenerationRequest,
    base: GENERATION,
    table: GENERATION_TABLE,
    wrong: { a: 7 },
  },
  { what: 'an image edit', Dto: ImageEditRequest, base: EDIT, table: EDIT_TABLE, wrong: ['?', '?'] },
])('fields of $what', ({ Dto, base, table, wrong }) => {
  const violationOf = violationBy(compileRules(Dto), base);

  test.each(Object.keys(table))('%s accepts and rejects the values of its table', (field) => {
    const rows = table[field] ?? [];
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('the first violation in the order of the table is reported', () => {
    const body = Object.fromEntries(Object.keys(table).map((field) => [field, wrong]));
    expect(violationOrder(violationOf, body, base)).toEqual(Object.keys(table));
  });

  test('the first missing field in the order of the table is reported', () => {
    const [first = '', second = ''] = Object.keys(base);
    expect(violationOf({ [first]: undefined, [second]: undefined, n: 'x' })).toBe(
      `missing_required_parameter ${first}`,
    );
    expect(violationOf({ [second]: undefined, n: 'x' })).toBe(`missing_required_parameter ${second}`);
  });
});

describe('GW_VALIDATION=lenient', () => {
  test('accepts unknown names in closed lists, but not for booleans', () => {
    const form = violationBy(compileRules(ImageEditRequest, { lenient: true }), EDIT);
    expect(form({ quality: 'ultra', background: 'blue', input_fidelity: 'medium' })).toBeNull();
    expect(form({ stream: 'yes' })).toBe('invalid_value stream');
    expect(form({ n: '11' })).toBe('invalid_value n');
  });
});
