export const TAG = /^[A-Za-z0-9._:/-]{1,64}$/;
/** Completes "it must be …". */
export const TAG_EXPECTED = `a tag of 1 to 64 letters, digits and characters of '._:/-'`;
/** The maximum applies to each key and each team. */
export const TAGS_MAX = 20;

export const distinctTags = (tags: readonly string[]): string[] => [...new Set(tags)];
