import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';

interface Description {
  readonly paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
  readonly components: { schemas: Record<string, { required: string[]; properties: Record<string, object> }> };
}

let gateway: TestGateway;
let description: Description;
beforeAll(async () => {
  gateway = await startGateway();
  description = (await gateway.call<Description>('GET', '/openapi.json')).body;
});
afterAll(() => gateway.stop());

describe('OpenAPI description', () => {
  test.each([
    ['/v1/audio/speech', 'application/json', ['model', 'input', 'voice']],
    ['/v1/audio/transcriptions', 'multipart/form-data', ['file', 'model']],
    ['/v1/images/generations', 'application/json', ['model', 'prompt']],
    ['/v1/images/edits', 'multipart/form-data', ['prompt']],
  ])('describes the content type and the required fields of %s', (path, type, required) => {
    const { content } = description.paths[path]!.post.requestBody;
    expect(Object.keys(content)).toEqual([type]);
    const name = content[type]!.schema.$ref.split('/').at(-1)!;
    expect(description.components.schemas[name]!.required).toEqual(required);
  });

  test('files are binary, and repeatable fields are arrays under the name that clients send', () => {
    const { ImageEditRequest, TranscriptionRequest } = description.components.schemas;
    const binary = { type: 'string', format: 'binary' };
    expect(ImageEditRequest!.properties).toMatchObject({ image: binary, 'image[]': { type: 'array', items: binary } });
    expect(TranscriptionRequest!.properties).toMatchObject({
      file: binary,
      'timestamp_granularities[]': { type: 'array', items: { enum: ['word', 'segment'] } },
    });
  });
});
