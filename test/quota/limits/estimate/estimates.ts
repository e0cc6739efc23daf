import { RequestEstimate, type EstimatedRequest } from '../../../../src/quota/limits/estimate/request-estimate.js';

type Given = Partial<EstimatedRequest> & { readonly json: Readonly<Record<string, unknown>> };

/** The body has the bytes of the JSON, as clients send it. */
function estimateOf({ json, ...given }: Given): RequestEstimate {
  const body = Buffer.from(JSON.stringify(json));
  const limits = { outputExpected: 4096, outputDefault: 4096 };
  const defaults = { kind: 'text', endpoint: '/v1/chat/completions', model: 'gpt-4o', ...limits } as const;
  return new RequestEstimate({ ...defaults, body, json, ...given });
}

export const typical = (given: Given) => estimateOf(given).of('typical').units;
export const full = (given: Given) => estimateOf(given).of('full').units;

export const text = (bytes: number) => 'a'.repeat(bytes);
export const messages = (...contents: unknown[]) => contents.map((content) => ({ role: 'user', content }));
export const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
export const bytesOf = (json: unknown) => Buffer.byteLength(JSON.stringify(json));

/** The first 44 bytes of a WAV file with one channel and 16 bits. `claimed` is the second place that states the rate. */
export function wavHead(bytesPerSecond: number, { claimed = bytesPerSecond, format = 1 } = {}): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(bytesPerSecond / 2, 24);
  head.writeUInt32LE(claimed, 28);
  head.writeUInt16LE(16, 34);
  return head;
}
