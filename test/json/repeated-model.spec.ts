import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedModelField } from '../../src/json/repeated-model.js';

const repetition = (text: string) => repeatedModelField(Buffer.from(text), JSON.parse(text) as Record<string, unknown>);
const repeated = (text: string) => repetition(text)?.name ?? null;

describe('repeatedModelField at the top level', () => {
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
    '{"model":"a","Model":"b","model ":"c","mo\\\\u0064el":"d"}',
  ])('finds no repeated field in %s', (text) => expect(repeated(text)).toBeNull());

  test('returns the repeated field and the top-level field that contains it', () => {
    expect(repetition('{"model":"a","model":"b"}')).toEqual({ name: 'model', within: null });
    expect(repetition('{"tools":[{"type":"t","type":"function"}]}')).toEqual({ name: 'type', within: 'tools' });
    expect(repetition('{"plugins":[{"a":1,"a":2}]}')).toEqual({ name: 'a', within: 'plugins' });
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
        fc.string().filter((text) => text !== 'model' && text !== 'models'),
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

describe('repeatedModelField in nested fields', () => {
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
    expect(repetition(text)).toEqual({ name, within }),
  );

  test.each([
    '{"model":"a","messages":[{"role":"user","role":"user","content":"\\"model\\":1"}]}',
    '{"model":"a","messages":[{"model":"b","model":"c","content":{"model":1,"model":2}}]}',
    '{"model":"a","messages":[{"content":[{"type":"tool_use","input":{"model":"b","model":"c"}}]}]}',
    '{"model":"a","messages":[{"x":1,"x":2}],"moderation":{"model":"b"}}',
    '{"model":"a","input":[{"tools":[{"type":"i","parameters":{"model":"b","model":"c"}}]}],"metadata":{"a_model":1}}',
    '{"model":"a","x":{"y":1},"x":{"y":2},"session":{"model":"b"}}',
  ])('finds no repeated nested field in %s', (text) => expect(repetition(text)).toBeNull());
});
