const NAMED = /^Invalid (?:value|type) for '[^']*': (.)/u;
const MISSING = /^Missing required parameter: '[^']*'\.$/u;

/** Removes the API's field name from a validation message, because the form shows its own label. */
export const fieldMessageOf = (message: string): string =>
  message.replace(NAMED, (_all, first: string) => first.toUpperCase()).replace(MISSING, 'This field is required.');
