import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const SUCCESS = 0;

/** Hands spans on, and tells when the collector goes away and when it is back: once each, not once a batch. */
export class ReportingExporter implements SpanExporter {
  private failing = false;

  /** @param tell null: it is back */
  constructor(
    private readonly exporter: SpanExporter,
    private readonly tell: (reason: string | null) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: Result) => void): void {
    this.exporter.export(spans, (result) => {
      const failing = (result.code as number) !== SUCCESS;
      if (failing !== this.failing) this.tell(failing ? (result.error?.message ?? 'no reason given') : null);
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
