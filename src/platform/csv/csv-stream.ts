/**
 * Returns the parts of a file after the first part has been read. So an unavailable database returns an error instead of ending a
 * response that has begun.
 */
export async function startedParts(parts: AsyncGenerator<string, void>): Promise<AsyncIterable<string>> {
  const first = await parts.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* parts;
  })();
}
