import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MODEL_FIELDS, NESTING_FIELDS } from '../../../src/platform/json/model-fields.data.js';
import { READ_ONCE } from '../../../src/platform/json/read-once.data.js';
import { twoReadingsIn } from '../../../src/platform/json/two-readings.js';

const found = (text: string, everywhere = true) =>
  twoReadingsIn(
    Buffer.from(text),
    JSON.parse(text) as Record<string, unknown>,
    everywhere ? 'everywhere' : 'known-fields',
  );
const repeated = (text: string) => found(text)?.name ?? null;

describe('twoReadingsIn at the top level', () => {
  test.each([
    ['{"model":"a","model":"a"}', 'model'],
    ['{"model":"a","x":1,"mo\\u0064el":"b"}', 'model'],
    ['{"\\u006D\\u006fdel":"b","model":"a"}', 'model'],
    ['{"\\u006d\\u006f\\u0064\\u0065\\u006c":"b","mode\\u006c":"a"}', 'model'],
    ['{"models":["a"],"model":"b","models":["c"]}', 'models'],
    ['{"models":["a"],"model\\u0073":["c"]}', 'models'],
    ['{"fallbacks":["a"],"fallbacks":["b"]}', 'fallbacks'],
    ['{"fallbacks":[],"f\\u0061llbacks":["b"]}', 'fallbacks'],
    ['{"context_window_fallbacks":[],"context_window_fallb\\u0061cks":[{"a":["b"]}]}', 'context_window_fallbacks'],
    ['{"fallbacks":[{"gpt-4o":["gpt-4.1"],"gpt-\\u0034o":["gpt-4o"]}]}', 'gpt-4o'],
    ['{"providerOptions":{"g":{"models":["a"],"model\\u0073":["b"]}}}', 'models'],
    ['{"compound_custom":{"models":{"answering_model":"a","answering_model":"b"}}}', 'answering_model'],
    ['{"plugins":[{"model":"a"}],"plu\\u0067ins":[]}', 'plugins'],
    ['{"tools":[{"type":"t"}],"tools":[]}', 'tools'],
    ['{"tools":[{"type":"t","model":"a"}],"\\u0074ool\\u0073":[]}', 'tools'],
    ['{"model":"a","tools":[{"type":"t","model":"a","model":"b"}]}', 'model'],
    ['{"model":"a","tools":[{"type":"t","model":"b","mode\\u006c":null}]}', 'model'],
    ['{"plugins":[{"id":"p","x":[{"analysis_models":["a"],"analysis_models":1}]}]}', 'analysis_models'],
    ['{"fallbacks":["a",{"model":"a","x":{"model":1},"model":"b"}]}', 'model'],
    ['{"models":[{"model":"a","mod\\u0065l":"b"}]}', 'model'],
    ['{"user_config":{"model_list":[]},"user_config":{}}', 'user_config'],
    ['{"extra_body":{"x":{"model":"a"},"x":{}}}', 'x'],
    ['{"plugins":[{"models":["a"],"model":"b","other":1,"other":2}]}', 'other'],
    ['{"tools":[{"type":"t","model":"b","type":"function"}]}', 'type'],
    ['{"model":"a","tools":[{"type":"t","type":"function"}]}', 'type'],
    ['{"model":"a","tools":[{"type":"t","\\u0074ype":"function"}]}', 'type'],
    ['{"model":"a","tools":[{},{"typ\\u0065":"t","type":"function"}]}', 'type'],
    ['{"model":"a","tools":[[1,{}],{"x":{"type":1}},{"type":"t","x":["type"],"type":"custom"}],"x":{}}', 'type'],
    ['{"model":"a","x":"tools","tools":[{"type":"t","type":"function"}]}', 'type'],
    ['{"model":"a","tools":[{"type":"t","x":{"model":"a"},"x":{}}]}', 'x'],
    ['{"model":"a","tools":[{"type":"t","x":{"a_model":"b","a_model":"c"}}]}', 'a_model'],
    ['{"model":"a","tools":{"x":{"type":"t"},"x":{"type":"function"}}}', 'x'],
  ])('finds the repeated field in %s', (text, name) => expect(repeated(text)).toBe(name));

  test.each([
    '{"model":"a"}',
    '{"model":"a","models":["b"]}',
    '{"model":"a","metadata":{"model":"b","mo\\u0064el":"c"}}',
    '{"model":"\\"model\\":\\"b\\"","x":"\\u006d","y":["model",{"model":1}]}',
    '{"model":"a","fallbacks":["model","model",{"model":"b","x":{"model":"c"}},{"model":"d"}]}',
    '{"model":"a","fallbacks":[{"gpt-4o":["gpt-4.1"]},{"gpt-4o":["gpt-4o"],"gpt-4.1":[]}]}',
    '{"model":"a","tools":[{"x":"\\"tools\\":1","y":"\\u0074"},{"model":"b","x":["model",{"model":1}]}]}',
    '{"model":"a","plugins":[{"models":["a"],"model":"b","other":1},{"other":2}]}',
    '{"model":"a","tools":[{"type":"function","function":{"x":1,"x":2,"type":"a"}},{"type":"t"},"type","type"]}',
    '{"model":"a","tools":[],"tool_choice":{"type":"a","type":"b"}}',
    '{"model":"a","tools":1,"messages":[{"type":"a","type":"b"}]}',
    '{"model":"a","messages":[{"model":"b","model":"c","tools":1}]}',
    '{"model":"a","model ":"c","mo\\\\u0064el":"d"}',
  ])('finds no repeated field in %s', (text) => expect(repeated(text)).toBeNull());

  test('returns the repeated field and the top-level field that contains it', () => {
    expect(found('{"model":"a","model":"b"}')).toMatchObject({ name: 'model', within: null });
    expect(found('{"tools":[{"type":"t","type":"function"}]}')).toMatchObject({ name: 'type', within: 'tools' });
    expect(found('{"plugins":[{"a":1,"a":2}]}')).toMatchObject({ name: 'a', within: 'plugins' });
  });

  test('finds a repeated model in any place and with any escapes', () => {
    const letter = (char: string) =>
      fc.constantFrom(
        char,
        `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
        `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    const name = fc.tuple(...[...'model'].map(letter)).map((letters) => `"${letters.join('')}"`);
    const others = fc.array(
      fc.tuple(
        // Fields that cannot be repeated either have no name of one digit.
        fc.nat({ max: 9 }).map(String),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(name, name, others, others, (first, second, before, between) => {
        const fields = (list: [string, unknown][]) =>
          list.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`).join('');
        expect(repeated(`{${fields(before)}${first}:"a",${fields(between)}${second}:"b"}`)).toBe('model');
      }),
    );
  });
});

describe('twoReadingsIn in nested fields', () => {
  test.each([
    ['{"input":[{"type":"t","tools":[{"type":"i","model":"a","model":"b"}]}]}', 'model', 'input'],
    ['{"model":"a","input":[{"tools":[{"type":"i","model":"b","mode\\u006c":"c"}]}]}', 'model', 'input'],
    ['{"model":"a","input":[{"tools":[{"type":"i","model":"b","type":"function"}]}]}', 'type', 'input'],
    ['{"model":"a","input":[{"tools":[{"type":"i","model":"b"}],"tools":[]}]}', 'tools', 'input'],
    ['{"model":"a","input":[{"tools":[],"\\u0074ools":[{"type":"i","model":"b"}]}]}', 'tools', 'input'],
    ['{"model":"a","input":[{"tools":[{"type":"i","model":"b"}]}],"input":[]}', 'input', null],
    ['{"model":"a","input":[],"input":[{"tools":[{"type":"i","model":"b"}]}]}', 'input', null],
    ['{"requests":[{"params":{"model":"a"},"params":{"model":"b"}}]}', 'params', 'requests'],
    ['{"requests":[{"params":{"model":"a","x":1,"x":2}}]}', 'x', 'requests'],
    ['{"method":{"dpo":{},"r":{"grader":{"model":"a","x":{"y":1},"model":"b"}}}}', 'model', 'method'],
    ['{"model":{"id":"a","id":"b"}}', 'id', 'model'],
    ['{"session":{"model":"a"},"session":{}}', 'session', null],
    ['{"x":{"fallbacks":[{"a":["b"],"a":["c"]}]}}', 'a', 'x'],
  ])('finds the repeated nested field in %s', (text, name, within) =>
    expect(found(text)).toEqual({ name, within, written: null }),
  );

  test.each([
    '{"model":"a","messages":[{"role":"user","role":"user","content":"\\"model\\":1"}]}',
    '{"model":"a","messages":[{"model":"b","model":"c","content":{"model":1,"model":2}}]}',
    '{"model":"a","messages":[{"content":[{"type":"tool_use","input":{"model":"b","model":"c"}}]}]}',
    '{"model":"a","messages":[{"x":1,"x":2}],"moderation":{"model":"b"}}',
    '{"model":"a","input":[{"tools":[{"type":"i","parameters":{"model":"b","model":"c"}}]}],"metadata":{"a_model":1}}',
    '{"model":"a","x":{"y":1},"x":{"y":2},"session":{"model":"b"}}',
  ])('finds no repeated nested field in %s', (text) => expect(found(text)).toBeNull());
});

const ONCE = ['model', ...MODEL_FIELDS, ...NESTING_FIELDS, ...Object.values(READ_ONCE).flat()];

/** Other spellings that a tolerant parser reads as `name`. */
function spellings(name: string): string[] {
  const unicode = [
    name.replace('s', '\u017f'),
    name.replace('k', '\u212a'),
    name.replace('i', '\u0131'),
    name.replace('i', '\u0130'),
  ];
  const cases = [name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1), `${name}\0`, `${name}\0x`];
  return [...cases, ...unicode].filter((spelling) => spelling !== name);
}

const escaped = (name: string): string =>
  `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

describe.each(ONCE)('the top-level field %s', (name) => {
  const field = JSON.stringify(name);

  test('is found if it is repeated, with any values and escapes', () => {
    for (const text of [
      `{${field}:1,${field}:1}`,
      `{${field}:"a","x":{"y":1},${escaped(name)}:"b"}`,
      `{${escaped(name)}:[],${field}:{}}`,
    ])
      expect([text, found(text, false)]).toEqual([text, { name, within: null, written: null }]);
    expect(found(`{${field}:1}`)).toBeNull();
  });

  test('is found in each other spelling, alone and beside the field', () => {
    for (const written of spellings(name))
      for (const text of [
        `{${JSON.stringify(written)}:1}`,
        `{${field}:1,${JSON.stringify(written)}:1}`,
        `{${escaped(written)}:1,${field}:1}`,
      ])
        expect([text, found(text, false)]).toEqual([text, { name, within: null, written }]);
  });
});

describe('other spellings in nested objects', () => {
  test.each([
    ['{"plugins":[{"Model":"b"}]}', 'model', 'plugins'],
    ['{"plugins":[{"answering_Model":"b"}]}', 'answering_model', 'plugins'],
    ['{"extra_body":{"x":{"analysis_model\u017f":["b"]}}}', 'analysis_models', 'extra_body'],
    ['{"tools":[{"type":"function","Type":"image_generation","model":"b"}]}', 'type', 'tools'],
    ['{"tools":[{"TYPE":"image_generation","model":"b"}]}', 'type', 'tools'],
    ['{"tools":[{"type":"image_generation","MODEL":"b"}]}', 'model', 'tools'],
    ['{"tools":[{"type":"t","x":[{"Tools":[{"type":"i","model":"b"}]}]}]}', 'tools', 'tools'],
    ['{"input":[{"Tools":[{"type":"i","model":"b"}]}]}', 'tools', 'input'],
    ['{"messages":[{"content":[{"type":"x","TOOL":{"type":"i","model":"b"}}]}]}', 'tool', 'messages'],
    ['{"messages":[{"role":"user","Content":"x"}]}', 'content', 'messages'],
    ['{"thread":{"messages":[{"role":"user","CONTENT":"x"}]}}', 'content', 'thread'],
    ['{"thinking":{"type":"enabled","Budget_Tokens":9}}', 'budget_tokens', 'thinking'],
    ['{"stream_options":{"Include_Usage":false}}', 'include_usage', 'stream_options'],
    ['{"prompt":{"ID":"p"}}', 'id', 'prompt'],
    ['{"session":{"type":"realtime","Type":"transcription"}}', 'type', 'session'],
    ['{"session":{"audio":{"input":{"transcription":{"Model":"b"}}}}}', 'model', 'session'],
    ['{"requests":[{"params":{"model":"a","Max_Tokens":9}}]}', 'max_tokens', 'requests'],
    ['{"requests":[{"Params":{"model":"b"}}]}', 'params', 'requests'],
    ['{"requests":[{"params":{"tools":[{"Type":"t","model":"b"}]}}]}', 'type', 'requests'],
    ['{"testing_criteria":[{"type":"score_model","Model":"b"}]}', 'model', 'testing_criteria'],
    ['{"data_source":{"type":"completions","modeL":"b"}}', 'model', 'data_source'],
  ])('finds the field in %s', (text, name, within) => {
    for (const everywhere of [true, false]) expect(found(text, everywhere)).toMatchObject({ name, within });
  });

  test.each([
    '{"model":"a","metadata":{"Model":"b","MODEL":"c","Max_Tokens":1}}',
    '{"model":"a","tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"Model":{"type":"string"}}}}}]}',
    '{"model":"a","tools":[{"name":"f","input_schema":{"properties":{"Type":{"type":"string"},"Input":{}}}}]}',
    '{"model":"a","tools":[{"type":"function","function":{"name":"f","Model":"b"}}]}',
    '{"model":"a","messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"Model":"b","Tools":[]}}]}]}',
    '{"model":"a","messages":[{"role":"tool","content":[{"type":"json","Content":"x","ID":1}]}]}',
    '{"model":"a","messages":[{"role":"user","content":"x","Model":"record","Name":"x"}]}',
    '{"model":"a","input":[{"type":"function_call_output","output":{"Model":"b"}}]}',
    '{"model":"a","response_format":{"json_schema":{"schema":{"properties":{"Models":{"type":"array"}}}}}}',
    '{"model":"a","prompt":{"id":"p","variables":{"Model":"b","Input":"c"}}}',
    '{"model":"a","guided_json":{"properties":{"Model":{"type":"string"},"Models":{"items":{}}}}}',
    '{"model":"a","User":"b","Temperature":1,"Models_":1,"_Model_x":1,"max tokens":1}',
    '{"model":"a","x":{"Input":1,"Type":2,"Content":3}}',
    '{"model":"a","user":"\\"Model\\":","x":["Model",{"y":"MODEL"}]}',
  ])('finds nothing in %s', (text) => expect(found(text)).toBeNull());

  test('finds model fields in unknown fields only if these are searched for models', () => {
    const text = '{"model":"a","x":[{"y":{"Model":"b"}}],"My_Model":"c"}';
    expect(found(text, true)).toMatchObject({ name: 'model', within: 'x', written: 'Model' });
    expect(found('{"model":"a","My_Model":"c"}', true)).toMatchObject({ name: 'my_model', within: null });
    expect(found(text, false)).toBeNull();
  });
});

describe('repeated names in settings', () => {
  test.each([
    ['{"thinking":{"budget_tokens":9,"budget_tokens":1}}', 'budget_tokens', 'thinking'],
    ['{"thinking":{"x":9,"x":1}}', 'x', 'thinking'],
    ['{"stream_options":{"include_usage":true,"include\\u005fusage":false}}', 'include_usage', 'stream_options'],
    ['{"prompt":{"id":"a","id":"b"}}', 'id', 'prompt'],
    ['{"requests":[{"params":{"max_tokens":9,"max_tokens":1}}]}', 'max_tokens', 'requests'],
    ['{"messages":[{"role":"user","content":"long","content":"x"}]}', 'content', 'messages'],
    ['{"container":{"skills":[{"type":"a","type":"b"}]}}', 'type', 'container'],
  ])('finds the name in %s', (text, name, within) =>
    expect(found(text, false)).toEqual({ name, within, written: null }),
  );

  test.each([
    '{"model":"a","messages":[{"role":"user","role":"user","content":[{"type":"x","type":"y"}]}]}',
    '{"model":"a","prompt":{"id":"p","variables":{"x":"1","x":"2"}}}',
    '{"model":"a","metadata":{"max_tokens":1,"max_tokens":2},"user":"a","user":"b"}',
  ])('finds nothing in %s', (text) => expect(found(text)).toBeNull());
});
