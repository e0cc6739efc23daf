import { eventReader, type EventSubscriber, type StreamFormat } from './event-reader.js';

/**
 * Parses the events in a part of a stream. An event can have several lines, which together or separately are documents, because some
 * providers omit the blank line between events. Other data is ignored.
 * @param parse returns null for data that is not a document
 */
export function documentsIn<Document>(
  bytes: Buffer,
  format: StreamFormat,
  parse: (data: Buffer) => Document | null,
): readonly Document[] {
  const reader = new DocumentReader(parse);
  const events = eventReader(format, reader);
  events.push(bytes);
  events.end();
  return reader.documents;
}

const LINE_END = Buffer.from('\n');

class DocumentReader<Document> implements EventSubscriber {
  readonly documents: Document[] = [];
  private readonly lines: Buffer[] = [];

  constructor(private readonly parse: (data: Buffer) => Document | null) {}

  /** The bytes arrive at once, so each piece is a whole line. */
  data(piece: Buffer): void {
    this.lines.push(piece);
  }

  eventEnd(): void {
    const lines = this.lines.splice(0);
    const whole = lines.length > 1 ? this.parse(Buffer.concat(lines.flatMap((line) => [line, LINE_END]))) : null;
    if (whole !== null) {
      this.documents.push(whole);
      return;
    }
    for (const line of lines) {
      const document = this.parse(line);
      if (document !== null) this.documents.push(document);
    }
  }
}
