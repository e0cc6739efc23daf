/** The name of one `name=value` of a query, as its reader will have it. */
export function parameterName(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  return name.includes('%') ? percentDecoded(name) : name;
}

/** Byte by byte, whatever stands there. Not decodeURIComponent: it throws on what is no UTF-8, and a provider's own parser may be more patient. */
export const percentDecoded = (name: string): string =>
  name.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
