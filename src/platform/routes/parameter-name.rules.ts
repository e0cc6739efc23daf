export function parameterName(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  return name.includes('%') ? percentDecoded(name) : name;
}

/** Decodes byte by byte. `decodeURIComponent` throws on invalid UTF-8, which a provider's parser might accept. */
export const percentDecoded = (name: string): string =>
  name.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

export const PATH_ID_FORM = /^[A-Za-z0-9._:-]{1,200}$/;

/** Whether a percent-decoded ID can name an upstream object in a path. `.` and `..` would change the path (D8). */
export const isPathId = (id: string): boolean => PATH_ID_FORM.test(id) && id !== '.' && id !== '..';
