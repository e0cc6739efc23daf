/** `SpanExporter` and OpenTelemetry's OTLP exporters have this form. */
export interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

interface ExportResult {
  readonly code: number;
  /** OpenTelemetry's errors have the HTTP status as their code, and the collector's text as their message. */
  readonly error?: Error & { readonly code?: number | string };
}

const SUCCESS = 0;

/** Reports the start and the end of an outage of the collector, each once. */
export class ReportingExporter<Items> implements Exporter<Items> {
  private failing = false;

  /** @param report gets the reason for the first failure, and null at the first success after it */
  constructor(
    private readonly exporter: Exporter<Items>,
    private readonly report: (reason: string | null) => void,
  ) {}

  export(items: Items, done: (result: ExportResult) => void): void {
    this.exporter.export(items, (result) => {
      const failing = result.code !== SUCCESS;
      if (failing !== this.failing) this.report(failing ? reasonOf(result) : null);
      this.failing = failing;
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

/** Contains no text from the collector, because that could echo a credential. */
const reasonOf = ({ error }: ExportResult): string =>
  typeof error?.code === 'number'
    ? `The collector responded with HTTP status ${error.code}`
    : (error?.message ?? 'no reason given');
