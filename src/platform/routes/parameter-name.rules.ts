/** The percent-decoded name of a `name=value` pair. */
export function parameterName(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  return name.includes('%') ? percentDecodedBytes(name) : name;
}

/** Decodes each `%XX` to the character with that code. `decodeURIComponent` throws on invalid UTF-8, which a provider's parser might accept. */
export const percentDecodedBytes = (name: string): string =>
  name.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
