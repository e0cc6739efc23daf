/**
 * Takes linear time per literal, because each literal is searched for once, from left to right.
 * @param pattern an ID, or a pattern in which `*` matches any number of characters, including none
 */
export function matchesPattern(pattern: string, model: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return pattern === model;
  if (!model.startsWith(start) || !model.endsWith(end) || model.length < start.length + end.length) return false;
  let at = start.length;
  for (const literal of rest) {
    const found = model.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return at <= model.length - end.length;
}
