import type { MarkSearch } from './event-reader.js';

/** Returns the next position of a word, or the length of the chunk. */
export type WordFinder = (chunk: Buffer, from: number) => number;

export const finderOf =
  (word: string): WordFinder =>
  (chunk, from) => {
    const at = chunk.indexOf(word, from);
    return at === -1 ? chunk.length : at;
  };

/** Marks the places of several words. It remembers the next position of each, so that no byte is searched twice for it. */
export class WordMarks implements MarkSearch {
  private readonly found: number[];
  private searchedTo = 0;

  constructor(private readonly finders: readonly WordFinder[]) {
    this.found = finders.map(() => -1);
  }

  reset(): void {
    this.found.fill(-1);
    this.searchedTo = 0;
  }

  next(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    let first = chunk.length;
    for (let word = 0; word < this.finders.length; word++) {
      if (this.found[word]! < at) this.found[word] = this.finders[word]!(chunk, at);
      first = Math.min(first, this.found[word]!);
    }
    this.searchedTo = first + 1;
    return first;
  }
}
