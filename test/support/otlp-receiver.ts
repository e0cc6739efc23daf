import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2 for a server span, 3 for a client span. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All received bodies, to check what they must not contain. */
  readonly text: string;
  readonly resource: Readonly<Record<string, string | number>>;
  /** Waits until a trace has `count` spans and returns them. */
  trace(traceId: string, count: number): Promise<readonly ReceivedSpan[]>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let [text, resource] = ['', {} as ReceivedSpan['attributes']];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      text += body;
      if (req.method === 'POST' && req.url === '/v1/traces') {
        for (const { resource: of, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
          resource = plain(of.attributes);
          for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
            spans.push({ ...span, attributes: plain(span.attributes) });
          }
        }
      }
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get text() {
      return text;
    },
    get resource() {
      return resource;
    },
    trace: async (traceId, count) => {
      // Spans are exported every second.
      await until(() => ofTrace(traceId).length >= count, 10_000);
      return ofTrace(traceId);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plain = (attributes: OtlpSpan['attributes']): ReceivedSpan['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
