import {
  createOtlpNetworkExportDelegate,
  OTLPExporterBase,
  type IOtlpExportDelegate,
} from '@opentelemetry/otlp-exporter-base';
import {
  createOtlpHttpExportDelegate,
  createOtlpHttpExporterMetrics,
} from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
  type IExporterMetricsHelper,
  type ISerializer,
} from '@opentelemetry/otlp-transformer';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';
import { GrpcTransport } from './grpc-transport.js';
import { connectionTo } from './otlp-connection.js';

/**
 * Exports traces with the protocol of `OTEL_EXPORTER_OTLP_PROTOCOL`. The code is OpenTelemetry's except for the gRPC transport
 * (ADR 0033).
 */
export const traceExporter = (config: Config): OTLPExporterBase<ReadableSpan[]> =>
  new OTLPExporterBase(delegateOf(config, TRACES));

export const metricExporter = (config: Config): OTLPExporterBase<ResourceMetrics> =>
  new OTLPExporterBase(delegateOf(config, METRICS));

interface Signal<Items, Response> {
  /** The part of OpenTelemetry's variable names that identifies the signal. */
  readonly name: string;
  readonly path: string;
  readonly grpcPath: string;
  readonly json: ISerializer<Items, Response>;
  readonly protobuf: ISerializer<Items, Response>;
  readonly helper: IExporterMetricsHelper<Items>;
}

const TRACES = {
  name: 'TRACES',
  path: 'v1/traces',
  grpcPath: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  json: JsonTraceSerializer,
  protobuf: ProtobufTraceSerializer,
  helper: TraceExporterMetricsHelper,
} satisfies Signal<ReadableSpan[], unknown>;

const METRICS = {
  name: 'METRICS',
  path: 'v1/metrics',
  grpcPath: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  json: JsonMetricsSerializer,
  protobuf: ProtobufMetricsSerializer,
  helper: MetricsExporterMetricsHelper,
} satisfies Signal<ResourceMetrics, unknown>;

function delegateOf<Items, Response>(config: Config, signal: Signal<Items, Response>): IOtlpExportDelegate<Items> {
  const connection = connectionTo(config, signal.name, signal.path);
  const { helper } = signal;
  switch (config.otlpProtocol) {
    case 'http/json':
      return createOtlpHttpExportDelegate(connection, signal.json, 'otlp_http_json', helper, undefined);
    case 'http/protobuf':
      return createOtlpHttpExportDelegate(connection, signal.protobuf, 'otlp_http', helper, undefined);
    case 'grpc': {
      const metrics = createOtlpHttpExporterMetrics('otlp_grpc', helper, connection.url, undefined);
      const transport = new GrpcTransport(connection, signal.grpcPath);
      return createOtlpNetworkExportDelegate(connection, signal.protobuf, metrics, transport);
    }
    default:
      return config.otlpProtocol satisfies never;
  }
}
