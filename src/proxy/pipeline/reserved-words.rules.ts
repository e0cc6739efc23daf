/** For each path template, the words that none of its parameters accepts, in the order of the parameters. */
export type ReservedWords = ReadonlyMap<string, readonly ReadonlySet<string>[]>;

const PARAMETER = /^\{\w+\}$/;

/**
 * Finds the literal segments that other routes have in place of a parameter: `runs` for `/v1/threads/{thread_id}`, because of
 * `/v1/threads/runs`. Some providers match paths without regard to case. They would run `/v1/threads/RUNS` as that other route,
 * without its checks.
 * @param endpoints path templates: `/v1/threads/{thread_id}`
 */
export function reservedWords(endpoints: Iterable<string>): ReservedWords {
  const paths = [...new Set(endpoints)].map((endpoint) => ({ endpoint, segments: endpoint.split('/') }));
  /** The literal segments after each beginning of a path, in which every parameter is `{}`. */
  const literals = new Map<string, Set<string>>();
  for (const { segments } of paths) {
    segments.forEach((segment, at) => {
      if (PARAMETER.test(segment)) return;
      const before = beginningOf(segments, at);
      literals.set(before, (literals.get(before) ?? new Set()).add(segment.toLowerCase()));
    });
  }
  return new Map(paths.map(({ endpoint, segments }) => [endpoint, wordsOf(segments, literals)]));
}

const NO_WORDS: ReadonlySet<string> = new Set();

const wordsOf = (segments: readonly string[], literals: ReadonlyMap<string, ReadonlySet<string>>) =>
  segments.flatMap((segment, at) =>
    PARAMETER.test(segment) ? [literals.get(beginningOf(segments, at)) ?? NO_WORDS] : [],
  );

const beginningOf = (segments: readonly string[], end: number): string =>
  segments
    .slice(0, end)
    .map((segment) => (PARAMETER.test(segment) ? '{}' : segment))
    .join('/');

/** @param value percent-decoded. Some file systems and servers ignore dots at its end */
export const isReserved = (value: string, words: ReadonlySet<string> | undefined): boolean =>
  words !== undefined && words.size > 0 && words.has(value.toLowerCase().replace(/\.+$/, ''));
