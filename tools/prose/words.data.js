// Each remedy completes the message of the linter.
export const WORDS = [
  { pattern: /\banew\b/i, remedy: 'write "again" or "re-…"' },
  { pattern: /\b(whoever|whosoever|whom)\b/i, remedy: 'name the actor' },
  { pattern: /\bthrice\b/i, remedy: 'write "three times"' },
  { pattern: /\bmend(s|ed)?\b/i, remedy: 'write "fix"' },
  { pattern: /\bheeds?\b/i, remedy: 'write "respects"' },
  { pattern: /\bhand(s|ed)? on\b/i, remedy: 'write "forward" or "pass"' },
  { pattern: /\b(told|tells?)\b/i, remedy: 'write "returns", "reports" or "shows"' },
  { pattern: /\bsays so\b/i, remedy: 'write "reports it"' },
  { pattern: /\bgoes by\b/i, remedy: 'write "uses"' },
  { pattern: /\bworth nothing\b|\bis none\b/i, remedy: 'write "invalid" or "absent"' },
  { pattern: /(?<!\bthere )\b(is|are|was) no (?!longer\b)[a-z]+\b/i, remedy: 'write "is not a …"' },
  { pattern: /\btaken? for\b/i, remedy: 'write "treated as"' },
  { pattern: /\bbut for\b/i, remedy: 'write "except"' },
  { pattern: /\be-mails?\b/i, remedy: 'write "email"' },
  { pattern: /\bstart-up\b/i, remedy: 'write "startup"' },
  { pattern: /\blikewise\b/i, remedy: 'write "also"' },
  { pattern: /\b(is|are|was|were) (away|gone)\b/i, remedy: 'write "unavailable" or "removed"' },
  { pattern: /\bput .{1,40} right\b/i, remedy: 'write "fix"' },
  { pattern: /\b(turnstile|waiting room|patience|trail)\b/i, remedy: 'use the standard term' },
  { pattern: /\bnull: /i, remedy: 'write "Null if …"' },
  { pattern: /\b(gets?|got) (a )?[45]\d\d\b/i, remedy: 'write "returns 404" or "is rejected with 404"' },
  { pattern: /^what\b[^?]*$/i, remedy: 'start with the noun' },
  { pattern: /^of (a|an|the|two|all)\b/i, remedy: 'start with the subject' },
];

export const LIMITS = { sentenceWords: 25, documentSentenceWords: 30, paragraphWords: 60 };
