import { CLOSE_BRACE } from '../../json/bytes.js';
import type { TokenUsage } from '../../request-context/token-usage.js';
import { messageIn } from '../upstream-refusal.js';
import { skipSpace } from '../../json/json-scan.js';
import { WatchedFields, type Watched, type WatchReader } from '../../json/field-watcher.js';
import type { FactName, ResponseFactsReader } from './response-facts.js';
import type { UsageReader } from './usage-formats.data.js';
import { isComplete, merged, reportAt, usageOf, type TokenCountFields, type UsageReport } from './usage-report.js';

/** `start` reports only the input, because its output covers the first tokens. `nested` ranks below `usage`. */
type Leaf = 'usage' | 'start' | 'metadata' | 'nested' | 'error' | 'type' | 'message' | FactName;

const as = (leaf: Leaf): Watched<Leaf> => ({ leaf });
const within = (members: Record<string, Watched<Leaf>>, leaf?: Leaf): Watched<Leaf> => ({
  leaf,
  members: new WatchedFields(members),
});
const NESTED = { usage: as('nested'), error: as('error') };

const IDENTITY = { id: as('id'), model: as('model') };
const REPORT = { usage: as('usage'), usageMetadata: as('metadata'), error: as('error') };
const REST = { x_groq: within(NESTED), type: as('type') };

export const WATCHED = new WatchedFields<Leaf>({
  ...REPORT,
  ...REST,
  response: within(REPORT),
  message: within({ usage: as('start') }, 'message'),
  choices: within({ 0: within(NESTED) }),
});

/** Also finds the facts of a sampled trace, in the same events. */
export const WATCHED_FOR_TRACE = new WatchedFields<Leaf>({
  ...REPORT,
  ...REST,
  ...IDENTITY,
  status: as('finish'),
  response: within({ ...REPORT, ...IDENTITY, status: as('finish') }),
  message: within({ ...IDENTITY, usage: as('start') }, 'message'),
  choices: within({ 0: within({ ...NESTED, finish_reason: as('finish') }) }),
  stop_reason: as('finish'),
  delta: within({ stop_reason: as('finish') }),
});

const METADATA: TokenCountFields = { input: ['promptTokenCount'], output: ['candidatesTokenCount'] };
/** Of several equally complete reports in one document, the one with the lowest rank is used. */
const RANK = { usage: 0, start: 0, metadata: 1, nested: 2 } as const;

export interface ReportedError {
  /** The message is not redacted. */
  readonly message: string | null;
}

export class ResponseReport implements WatchReader<Leaf> {
  error: ReportedError | null = null;
  private known: UsageReport | null = null;

  private found: UsageReport | null = null;
  private foundRank = 0;
  private isError = false;
  private errorJson: string | null = null;
  private messageJson: string | null = null;

  constructor(
    private readonly reader: UsageReader,
    private readonly facts: ResponseFactsReader | null,
  ) {}

  usage(acceptsSingleCount: boolean): TokenUsage {
    return usageOf(this.known, acceptsSingleCount);
  }

  /** In an interrupted response, an output of 0 is unknown. */
  usageOfCut(): TokenUsage {
    return usageOf(this.known?.output === 0 ? { ...this.known, output: null } : this.known, false);
  }

  value(leaf: Leaf, value: Buffer): void {
    switch (leaf) {
      case 'usage':
      case 'nested':
        return this.note(reportAt(value, 0, this.reader), RANK[leaf]);
      case 'start': {
        const report = reportAt(value, 0, this.reader);
        return this.note(report === null || report.input === null ? null : { ...report, output: null }, RANK[leaf]);
      }
      case 'metadata':
        return this.note(reportAt(value, 0, METADATA), RANK[leaf]);
      case 'error':
        if (!isEmpty(value)) this.errorJson ??= value.toString();
        return;
      case 'message':
        this.messageJson = value.toString();
        return;
      case 'type':
        this.isError ||= value.equals(ERROR_TYPE);
        return;
      case 'id':
      case 'model':
      case 'finish':
        return this.facts?.noteJson(leaf, value);
      default:
        return leaf satisfies never;
    }
  }

  errorEvent(): void {
    this.isError = true;
  }

  document(): void {
    const { found, errorJson, messageJson } = this;
    if (found !== null) this.known = merged(this.known, found, this.reader.inParts === true);
    if (this.isError || errorJson !== null) {
      const message = errorJson === null ? null : messageIn(`{"error":${errorJson}}`);
      this.error ??= { message: message ?? (messageJson === null ? null : messageIn(`{"message":${messageJson}}`)) };
    }
    this.found = this.errorJson = this.messageJson = null;
    this.isError = false;
  }

  private note(report: UsageReport | null, rank: number): void {
    if (report === null) return;
    if (this.found !== null) {
      const [before, now] = [isComplete(this.found), isComplete(report)];
      if (before !== now ? before : rank > this.foundRank) return;
    }
    this.found = report;
    this.foundRank = rank;
  }
}

const ERROR_TYPE = Buffer.from('"error"');

const isEmpty = (value: Buffer): boolean => value.length === 2 || value[skipSpace(value, 1)] === CLOSE_BRACE;
