const SLASH = 0x2f;
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]+/i;

/**
 * The path and query of a request target. Clients behind a forward proxy send the absolute form, which a server must accept
 * (RFC 9112, 3.2.2). Its authority has no effect. The router and every check see the result only, so what is judged is what
 * is forwarded.
 * @returns another target unchanged
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const match = SCHEME_AND_AUTHORITY.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
