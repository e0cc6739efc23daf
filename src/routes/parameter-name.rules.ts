/** The name of one `name=value` of a query, as its reader will have it. */
export function parameterName(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  if (!name.includes('%')) return name;
  // Not decodeURIComponent: it throws on what is no UTF-8, and a provider's own parser may be more patient.
  return name.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
