const SLASH = 0x2f;
/** Scheme and authority. A user in the authority is an error (RFC 9110, 4.2.4). */
const ABSOLUTE_FORM = /^https?:\/\/[\w.~%!$&'()*+,;=:[\]-]+(?=[/?]|$)/i;

/**
 * The path and query of a request target, as clients behind a forward proxy setting write it too:
 * `http://gateway/v1/models` is `/v1/models` (RFC 9112, 3.2.2). Everything after it sees this target only, so what is
 * judged is what is forwarded. The authority has no effect.
 * @returns any other target unchanged; it is no route's (`RouteGuard`)
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const match = ABSOLUTE_FORM.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
