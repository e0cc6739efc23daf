const NAMED = /^Invalid (?:value|type) for '[^']*': (.)/u;
const MISSING = /^Missing required parameter: '[^']*'\.$/u;

/** What the API refuses, without its name of the field: the label above says it in the page's own words. */
export const fieldMessageOf = (message: string): string =>
  message.replace(NAMED, (_all, first: string) => first.toUpperCase()).replace(MISSING, 'This is needed.');
