/** Bytes to collect before each search, so that a small piece costs only a copy. */
const SEARCHED_BYTES = 16 * 1024;
/** Maximum distance between the type of a call and its action. Beyond it, the call counts as a search. */
const AHEAD_BYTES = 2 * 1024;

const CALL = new RegExp(
  [
    /"type":\s*"(?:(file)_search|(code)_interpreter|(web)_search|(image)_generation)_call"/,
    // Opening a page and searching in it are free.
    /(?:(?:,\s*"(?:id|status)":\s*"[^"\\]*")*,\s*"action":\s*\{[^{}]{0,1600}?"type":\s*"(open_page|find_in_page|find)")?/,
    /|"container_id":\s*"([^"\\]{1,128})"/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);
const CONTAINERS_MAX = 256;

export interface ToolCalls {
  readonly webSearches: number;
  readonly fileSearches: number;
  readonly codeExecutions: number;
  readonly images: number;
}

/**
 * Counts the calls of OpenAI's hosted tools in a document that arrives in pieces, without parsing it. Quotes in a JSON string
 * follow a backslash, so text never looks like a call. It holds at most 16 KiB.
 */
export class ToolCallCounter {
  private webSearches = 0;
  private fileSearches = 0;
  private interpreterCalls = 0;
  private images = 0;
  /** A container is billed once, regardless of the number of calls that use it. */
  private readonly containers = new Set<string>();
  private text = '';

  push(piece: Buffer): void {
    this.text += piece.toString('latin1');
    if (this.text.length > SEARCHED_BYTES) this.search(this.text.length - AHEAD_BYTES);
  }

  /** Ends the document. Returns null if it contains no calls. */
  end(): ToolCalls | null {
    this.search(this.text.length);
    const { webSearches, fileSearches, interpreterCalls, images, containers } = this;
    this.webSearches = this.fileSearches = this.interpreterCalls = this.images = 0;
    // Citations can name containers of earlier responses.
    const codeExecutions = Math.min(interpreterCalls, Math.max(1, containers.size));
    containers.clear();
    if (webSearches + fileSearches + codeExecutions + images === 0) return null;
    return { webSearches, fileSearches, codeExecutions, images };
  }

  private search(to: number): void {
    const { text } = this;
    CALL.lastIndex = 0;
    for (let call = CALL.exec(text); call !== null && call.index < to; call = CALL.exec(text)) this.note(call);
    this.text = text.slice(to);
  }

  private note([, file, code, web, image, free, container]: RegExpExecArray): void {
    if (file !== undefined) this.fileSearches += 1;
    else if (image !== undefined) this.images += 1;
    else if (code !== undefined) this.interpreterCalls += 1;
    else if (web !== undefined && free === undefined) this.webSearches += 1;
    else if (container !== undefined && this.containers.size < CONTAINERS_MAX) this.containers.add(container);
  }
}
