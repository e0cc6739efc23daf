import { describe, expect, test } from '@jest/globals';
import { details, detailsOf, eventsOf, streamedDetails } from '../../../support/detailed-usage.js';

const CHAT = { prompt_tokens: 9, completion_tokens: 4 };
const RESPONSES = { input_tokens: 9, output_tokens: 4 };
const withTools = { json: { tools: [{ type: 'function' }, { type: 'web_search' }] } };
const withoutTools = { json: { tools: [{ type: 'function', name: 'web_search_call' }, null] } };

describe('the service tier', () => {
  test('the service tier is read next to the usage of chat completions and responses', () => {
    const tier = details({ serviceTier: 'flex' });
    expect(detailsOf('chat', { id: 'x', usage: CHAT, service_tier: 'flex', system_fingerprint: 'f' })).toEqual(tier);
    expect(detailsOf('responses', { service_tier: 'flex', usage: RESPONSES, metadata: {} })).toEqual(tier);
    expect(streamedDetails('chat', [eventsOf([{ usage: CHAT, service_tier: 'flex' }])])).toEqual(tier);
    const completed = { response: { service_tier: 'flex', usage: RESPONSES } };
    expect(streamedDetails('responses', [eventsOf([completed])])).toEqual(tier);
  });

  test('the service tier cannot be chosen by a client whose request fields the provider returns', () => {
    const tools = [{ type: 'function', parameters: { properties: { service_tier: { type: 'string' } } } }];
    const echoed = { metadata: { service_tier: 'batch' }, instructions: '"service_tier":"batch"', tools };
    const body = { service_tier: 'priority', ...echoed, usage: RESPONSES, metadata: { service_tier: 'batch' } };
    expect(detailsOf('responses', body)?.serviceTier).toBe('priority');
    expect(detailsOf('responses', { ...echoed, ...body })?.serviceTier).toBe('priority');
    expect(streamedDetails('responses', [eventsOf([{ response: body }])])?.serviceTier).toBe('priority');
    expect(detailsOf('chat', { usage: CHAT, metadata: { service_tier: 'batch' } })).toBeNull();
    expect(detailsOf('responses', { metadata: { service_tier: 'batch' }, usage: RESPONSES })).toBeNull();
    const format = { type: 'json_schema', schema: { service_tier: 'batch' } };
    expect(detailsOf('responses', { text: { format }, usage: RESPONSES })).toBeNull();
  });
});

describe('calls of hosted tools', () => {
  const search = (action: string) => ({
    id: 'ws',
    type: 'web_search_call',
    status: 'completed',
    action: { type: action },
  });
  const code = (container: string) => ({ type: 'code_interpreter_call', container_id: container, code: '1' });
  const text = 'quoted: "type":"web_search_call" and {"type":"file_search_call"}';
  const output = [
    search('search'),
    search('search'),
    search('open_page'),
    search('find_in_page'),
    { type: 'web_search_call', status: 'completed' },
    { type: 'function_call', name: 'web_search_call', arguments: JSON.stringify(search('search')) },
    { type: 'file_search_call', queries: ['a'], results: null },
    code('c1'),
    code('c1'),
    code('c2'),
    { type: 'message', content: [{ type: 'output_text', text, annotations: [{ container_id: 'c2' }] }] },
  ];
  const response = { id: 'r', output, tools: [{ type: 'web_search' }], usage: RESPONSES };
  const counted = details({ webSearches: 3, fileSearches: 1, codeExecutions: 2 });

  test('calls of hosted tools are counted in a whole response', () => {
    expect(detailsOf('responses', response, withTools)).toEqual(counted);
    expect(detailsOf('responses', response)).toEqual(counted);
    expect(detailsOf('responses', JSON.stringify(response, null, 2), withTools)).toEqual(counted);
  });

  test('calls of hosted tools are counted once in a stream, wherever it is split', () => {
    const done = output.map((item) => ({ type: 'response.output_item.done', item, note: 'error' }));
    const bytes = eventsOf([...done, { type: 'response.completed', response }]);
    for (let size = 1; size <= 64; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(streamedDetails('responses', chunks, { sent: withTools })).toEqual(counted);
    }
  });

  test('calls of hosted tools are counted in a stream whose last event has megabytes, without being held', () => {
    const long = { ...response, output: [...output, { text: 'x'.repeat(3_000_000) }, ...output] };
    const bytes = eventsOf([{ response: long }]);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 16_000) }, (_, i) =>
      bytes.subarray(i * 16_000, (i + 1) * 16_000),
    );
    const twice = details({ webSearches: 6, fileSearches: 2, codeExecutions: 2 });
    expect(streamedDetails('responses', chunks, { sent: withTools })).toEqual(twice);
  });

  test('calls of hosted tools are counted in a long event, wherever its chunks end', () => {
    const calls = Array.from({ length: 500 }, (_, i) => search(i % 2 === 0 ? 'search' : 'open_page'));
    const bytes = eventsOf([{ response: { output: calls, usage: RESPONSES } }]);
    for (let size = 17_000; size < 17_200; size++) {
      const chunks = [bytes.subarray(0, size), bytes.subarray(size)];
      expect(streamedDetails('responses', chunks, { sent: withTools })?.webSearches).toBe(250);
    }
  });

  test('calls of hosted tools are not searched for if the request names no hosted tool', () => {
    expect(detailsOf('responses', response, withoutTools)).toBeNull();
    expect(streamedDetails('responses', [eventsOf([{ response }])], { sent: withoutTools })).toBeNull();
    expect(detailsOf('chat', { ...response, usage: CHAT }, withTools)).toBeNull();
  });

  test('calls of hosted tools can come from a stored prompt', () => {
    expect(detailsOf('responses', response, { json: { prompt: { id: 'pmpt_1' } } })).toEqual(counted);
  });

  test('calls of hosted tools are not counted if the provider reports their number', () => {
    const tool_usage = { image_gen: { input_tokens: 0 }, web_search: { num_requests: 2 } };
    const wanted = { ...counted, webSearches: 2 };
    expect(detailsOf('responses', { ...response, tool_usage }, withTools)).toEqual(wanted);
    const events = eventsOf([{ response: { tool_usage, ...response } }]);
    expect(streamedDetails('responses', [events], { sent: withTools })).toEqual(wanted);
  });

  test('tokens of the image generation tool are those of its model', () => {
    const image_gen = {
      input_tokens: 500,
      input_tokens_details: { image_tokens: 300, text_tokens: 200 },
      cached_tokens: 100,
      output_tokens: 4160,
      output_tokens_details: { image_tokens: 4100, text_tokens: 60 },
      total_tokens: 4660,
    };
    const body = { output: [], usage: RESPONSES, tool_usage: { image_gen, web_search: { num_requests: 0 } } };
    const asked = (tool: object) => ({ json: { tools: [{ type: 'image_generation', ...tool }] } });
    const wanted = (model: string) => [
      {
        model,
        included: false,
        inputTokens: 500,
        outputTokens: 4160,
        details: details({ mediaOnly: true, cachedInput: 100, imageInput: 300, imageOutput: 4100 }),
      },
    ];
    for (const [tool, model] of [
      [{ model: 'gpt-image-1.5' }, 'gpt-image-1.5'],
      [{}, 'gpt-image-2.6-sunburst'],
      [{ model: 'a\0b' }, 'gpt-image-2.6-sunburst'],
      [{ model: 7 }, 'gpt-image-2.6-sunburst'],
    ] as const) {
      expect(detailsOf('responses', body, asked(tool))?.others).toEqual(wanted(model));
      const stream = eventsOf([{ type: 'response.completed', response: body }]);
      expect(streamedDetails('responses', [stream], { sent: asked(tool) })?.others).toEqual(wanted(model));
    }
    expect(detailsOf('responses', body, withoutTools)).toBeNull();
  });

  test('a call whose container is unknown counts as one execution', () => {
    const unknown = {
      output: [{ type: 'code_interpreter_call' }, { type: 'code_interpreter_call' }],
      usage: RESPONSES,
    };
    expect(detailsOf('responses', unknown, withTools)).toEqual(details({ codeExecutions: 1 }));
  });
});

describe('images', () => {
  const images = (json: object) => ({ endpoint: '/v1/images/generations', json: json as Record<string, unknown> });
  const tokens = { input_tokens: 50, output_tokens: 4160, input_tokens_details: { text_tokens: 10, image_tokens: 40 } };

  test('without a report, images are counted and have the requested size and quality', () => {
    const body = {
      created: 1,
      data: [{ url: 'https://images.example/1.png' }, { url: 'https://images.example/2.png' }],
    };
    const asked = images({ model: 'dall-e-2', n: 3, size: '512x512', quality: 'hd' });
    expect(detailsOf('media', body, asked)).toEqual(
      details({ mediaOnly: true, images: 2, imageSize: '512x512', imageQuality: 'hd' }),
    );
  });

  test('size and quality of the response take precedence, and its output consists of image tokens', () => {
    const body = { data: [{ b64_json: 'AAAA' }], quality: 'medium', size: '1024x1024', usage: tokens };
    const wanted = {
      mediaOnly: true,
      imageInput: 40,
      imageOutput: 4160,
      images: 1,
      imageSize: '1024x1024',
      imageQuality: 'medium',
    };
    expect(detailsOf('media', body, images({ size: 'auto', quality: 'low' }))).toEqual(details(wanted));
    const event = { type: 'image_generation.completed', b64_json: 'A'.repeat(100_000), ...body, data: undefined };
    expect(streamedDetails('media', [eventsOf([event])], { sent: images({}) })).toEqual(details(wanted));
  });

  test('a response that was forwarded in pieces has the requested number of images', () => {
    const body = Buffer.from(JSON.stringify({ data: [{ b64_json: 'A'.repeat(2_000_000) }], size: '1536x1024' }));
    const read = streamedDetails('media', [body], { type: 'application/json', sent: images({ n: 2 }) });
    expect(read).toEqual(details({ mediaOnly: true, images: 2, imageSize: '1536x1024' }));
  });

  test('a form names the number of images as text', () => {
    const body = { data: 'x' };
    expect(detailsOf('media', body, images({ n: '4' }))).toEqual(details({ mediaOnly: true, images: 4 }));
    for (const n of ['x', '-1', '1.5', '1e99', null, {}])
      expect(detailsOf('media', body, images({ n }))?.images).toBe(1);
  });

  test('an error response, and a request that was not sent completely, have no images', () => {
    expect(detailsOf('media', { error: { message: 'x' } }, images({ n: 2 }))).toBeNull();
    expect(detailsOf('media', {}, { ...images({ n: 2 }), whole: false })).toBeNull();
  });
});

describe('audio', () => {
  test('the duration of a verbose transcription counts in started seconds', () => {
    expect(detailsOf('media', { task: 'transcribe', duration: 8.47, text: 'a' })).toEqual(details({ audioSeconds: 9 }));
    expect(detailsOf('media', { duration: '8.47', text: 'a' })).toEqual(details({ audioSeconds: 9 }));
    const both = { duration: 8.47, text: 'a', usage: { type: 'duration', seconds: 9 } };
    expect(detailsOf('media', both)).toEqual(details({ audioSeconds: 9 }));
    for (const duration of ['x', -1, null, [7], 1e12]) expect(detailsOf('media', { duration })).toBeNull();
  });

  test.each(['/v1/audio/transcriptions', '/v1/audio/translations'])(
    'a transcription without a duration or tokens is not free: %s',
    (endpoint) => {
      const sent = { endpoint, json: { response_format: 'text' } };
      const unknown = details({ mediaOnly: true, unmeasured: ['audio_seconds'] });
      expect(streamedDetails('media', [Buffer.from('Hello.')], { type: 'text/plain', sent })).toEqual(unknown);
      expect(detailsOf('media', { text: 'Hello.' }, sent)).toEqual(unknown);
      expect(detailsOf('media', { text: 'a', duration: 8.47 }, sent)).toEqual(
        details({ mediaOnly: true, audioSeconds: 9 }),
      );
      expect(detailsOf('media', { usage: { input_tokens: 3, output_tokens: 4 } }, sent)?.unmeasured).toBeNull();
      expect(detailsOf('media', { error: { message: 'x' } }, sent)).toBeNull();
    },
  );

  test('speech counts the code points of the text, and its output consists of audio tokens', () => {
    const sent = { endpoint: '/v1/audio/speech', json: { input: 'Grüße 🎉' } };
    const audio = Buffer.from([0xff, 0xf3, 0x40, 0xc0]);
    expect(streamedDetails('media', [audio], { type: 'audio/mpeg', sent })).toEqual(
      details({ mediaOnly: true, characters: 7 }),
    );
    expect(detailsOf('media', audio, sent)).toEqual(details({ mediaOnly: true, characters: 7 }));
    const done = { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } };
    expect(streamedDetails('media', [eventsOf([done])], { sent })).toEqual(
      details({ mediaOnly: true, characters: 7, audioOutput: 101 }),
    );
    expect(
      streamedDetails('media', [audio], { sent: { endpoint: '/v1/audio/speech', json: { input: 7 } } }),
    ).toBeNull();
  });
});

describe('the service tier of the request', () => {
  const asked = (json: Record<string, unknown>) => detailsOf('chat', { usage: CHAT }, { json });

  test('the requested service tier is used if the response does not report one', () => {
    expect(asked({ service_tier: 'flex' })).toEqual(details({ requestedTier: 'flex' }));
    const body = { usage: CHAT, service_tier: 'default' };
    expect(detailsOf('chat', body, { json: { service_tier: 'priority' } })).toEqual(
      details({ serviceTier: 'default' }),
    );
  });

  test('the requested service tier is unknown if the provider chooses it', () => {
    for (const tier of ['auto', 'standard_only', null, 7, 'a b']) expect(asked({ service_tier: tier })).toBeNull();
  });

  test('the requested service tier includes the fast mode and the region of Anthropic', () => {
    const json = { speed: 'fast', service_tier: 'auto', inference_geo: 'us' };
    const body = { usage: { input_tokens: 3, output_tokens: 4 } };
    expect(detailsOf('messages', body, { json })).toEqual(
      details({ inputIncludesCache: false, requestedTier: 'fast', requestedRegion: 'us' }),
    );
  });

  test('the requested fast mode does not count if the response reports another speed', () => {
    const usage = { input_tokens: 3, output_tokens: 4, speed: 'standard' };
    const sent = { json: { speed: 'fast' } };
    const standard = details({ inputIncludesCache: false, serviceTier: 'standard' });
    expect(detailsOf('messages', { usage }, sent)).toEqual(standard);
    const start = { type: 'message_start', message: { usage } };
    const stream = eventsOf([start, { type: 'message_delta', usage: { output_tokens: 4 } }]);
    expect(streamedDetails('messages', [stream], { sent })).toEqual(standard);
  });

  test('the requested service tier is known for a stream without a report, whose tokens are estimated', () => {
    const stream = eventsOf([{ choices: [{ delta: { content: 'a' } }] }]);
    const sent = { json: { service_tier: 'flex' } };
    expect(streamedDetails('chat', [stream], { sent })).toEqual(details({ requestedTier: 'flex' }));
    expect(streamedDetails('chat', [], { whole: false, sent })).toEqual(details({ requestedTier: 'flex' }));
    expect(streamedDetails('chat', [], { whole: false, sent: { ...sent, whole: false } })).toBeNull();
  });
});
