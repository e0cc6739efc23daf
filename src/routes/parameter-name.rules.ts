/** The name of one `name=value` of a query, as its reader will have it. */
export function parameterName(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  return name.includes('%') ? percentDecoded(name) : name;
}

/** Byte by byte, whatever stands there. Not decodeURIComponent: it throws on what is no UTF-8, and a provider's own parser may be more patient. */
export const percentDecoded = (name: string): string =>
  name.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** All but `.` and `..`, which `isPathId` refuses too. */
export const PATH_ID_FORM = /^[A-Za-z0-9._:-]{1,200}$/;

/** Whether `id`, percent-decoded, may stand in a path for an object of the upstream's. `.` and `..` would lead elsewhere (D8). */
export const isPathId = (id: string): boolean => PATH_ID_FORM.test(id) && id !== '.' && id !== '..';
