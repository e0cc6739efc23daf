import { createServer as createHttp, type IncomingHttpHeaders } from 'node:http';
import {
  createSecureServer as createSecureHttp2,
  createServer as createHttp2,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { decoded } from './otlp-protobuf.js';
import { until } from './until.js';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

type Plain = string | number | boolean | readonly Plain[];
type Attributes = Readonly<Record<string, Plain>>;
type OtlpAttributes = readonly { readonly key: string; readonly value: Value }[];

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** A server span has 2, and a client span has 3. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttributes;
  readonly status: { readonly code?: number };
}

interface OtlpPoint {
  readonly attributes: OtlpAttributes;
  readonly startTimeUnixNano: string;
  readonly asDouble?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: readonly number[];
  readonly explicitBounds?: readonly number[];
}

interface OtlpMetric {
  readonly name: string;
  readonly unit?: string;
  readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[]; readonly isMonotonic?: boolean };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface MetricsExport {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

export interface ReceivedSpan extends Omit<OtlpSpan, 'attributes'> {
  readonly attributes: Attributes;
}

interface ReceivedPoint extends Omit<OtlpPoint, 'attributes'> {
  readonly attributes: Attributes;
}

interface ReceivedMetric {
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly unit: string;
  readonly points: readonly ReceivedPoint[];
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All received bodies, to check what they must not contain. */
  readonly text: string;
  readonly resource: Attributes;
  /** The headers and the path of the last export. */
  readonly last: { readonly path: string; readonly headers: IncomingHttpHeaders };
  /** The metrics of the last export, by name. */
  readonly metrics: ReadonlyMap<string, ReceivedMetric>;
  /** Waits until a trace has `count` spans and returns them. */
  trace(traceId: string, count: number): Promise<readonly ReceivedSpan[]>;
  /** Makes the next exports fail with an HTTP status or a gRPC status. null ends it. */
  fail(status: number | null): void;
  /** Closes the open connections without stopping. */
  disconnect(): void;
  stop(): Promise<void>;
}

/** Starts a collector that accepts OTLP over HTTP, in JSON and in Protobuf. */
export async function startReceiver(): Promise<OtlpReceiver> {
  const inbox = new Inbox();
  const server = createHttp((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const type = req.headers['content-type'] ?? '';
      const bytes = Buffer.concat(chunks);
      if (req.method === 'POST') inbox.take(req.url ?? '', req.headers, bytes, type === 'application/json');
      const response = type === 'application/json' ? '{}' : '';
      res
        .writeHead(inbox.failure ?? 200, { 'content-type': type })
        .end(inbox.failure === null ? response : inbox.reason);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return receiver(inbox, (server.address() as AddressInfo).port, {
    disconnect: () => server.closeAllConnections(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/**
 * Starts a collector that accepts OTLP over gRPC: HTTP/2 with the status in the trailers.
 * @param tls key and certificate
 */
export async function startGrpcReceiver(tls?: { key: string; cert: string }): Promise<OtlpReceiver> {
  const inbox = new Inbox();
  const sessions = new Set<ServerHttp2Session>();
  const server = tls === undefined ? createHttp2() : createSecureHttp2(tls);
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session)).on('error', () => {});
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const frame = Buffer.concat(chunks);
      if (frame.readUInt32BE(1) !== frame.length - 5) throw new Error('The length of the gRPC message is wrong');
      const message = frame[0] === 1 ? gunzipSync(frame.subarray(5)) : frame.subarray(5);
      inbox.take(headers[':path'] ?? '', headers, message, false);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () =>
        stream.sendTrailers({ 'grpc-status': String(inbox.failure ?? 0), 'grpc-message': inbox.reason }),
      );
      // An empty message consists of five bytes of framing.
      stream.end(Buffer.alloc(5));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const disconnect = () => sessions.forEach((session) => session.destroy());
  return receiver(inbox, (server.address() as AddressInfo).port, {
    disconnect,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        disconnect();
      }),
  });
}

class Inbox {
  readonly spans: ReceivedSpan[] = [];
  metrics = new Map<string, ReceivedMetric>();
  text = '';
  resource: Attributes = {};
  last: OtlpReceiver['last'] = { path: '', headers: {} };
  failure: number | null = null;
  /** Must not reach the log, because a collector could echo a credential. */
  readonly reason = 'reason-of-the-collector';

  take(path: string, headers: IncomingHttpHeaders, bytes: Buffer, isJson: boolean): void {
    this.last = { path, headers };
    this.text += bytes.toString('latin1');
    if (this.failure !== null) return;
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const signal = /metrics/i.test(path) ? 'metrics' : 'traces';
    const message: unknown = isJson ? JSON.parse(body.toString()) : decoded(signal, body);
    if (signal === 'traces') this.takeTraces(message as Traces);
    else this.takeMetrics(message as MetricsExport);
  }

  private takeTraces({ resourceSpans }: Traces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        this.spans.push({ ...span, attributes: plain(span.attributes) });
    }
  }

  private takeMetrics({ resourceMetrics }: MetricsExport): void {
    this.metrics = new Map();
    for (const { resource, scopeMetrics } of resourceMetrics) {
      this.resource = plain(resource.attributes);
      for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) {
        const kind = metric.histogram ? 'histogram' : metric.sum ? 'sum' : 'gauge';
        const points = metric[kind]!.dataPoints.map((point) => ({ ...point, attributes: plain(point.attributes) }));
        this.metrics.set(metric.name, { kind, unit: metric.unit ?? '', points });
      }
    }
  }
}

function receiver(inbox: Inbox, port: number, more: Pick<OtlpReceiver, 'disconnect' | 'stop'>): OtlpReceiver {
  const ofTrace = (traceId: string) => inbox.spans.filter((span) => span.traceId === traceId);
  return {
    url: `http://127.0.0.1:${port}`,
    spans: inbox.spans,
    get text() {
      return inbox.text;
    },
    get resource() {
      return inbox.resource;
    },
    get last() {
      return inbox.last;
    },
    get metrics() {
      return inbox.metrics;
    },
    trace: async (traceId, count) => {
      // Spans are exported every second.
      await until(() => ofTrace(traceId).length >= count);
      return ofTrace(traceId);
    },
    fail: (status) => (inbox.failure = status),
    ...more,
  };
}

const plain = (attributes: OtlpAttributes): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

function plainValue({ stringValue, boolValue, doubleValue, intValue, arrayValue }: Value): Plain {
  if (arrayValue !== undefined) return arrayValue.values.map(plainValue);
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
}
