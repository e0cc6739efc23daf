import { PATH_ID_FORM } from '../routes/path-id.rules.js';

/** An id in a path under /v1, in the words of the API description; `RouteGuard` judges it. */
export const PATH_ID = { type: 'string', pattern: PATH_ID_FORM.source } as const;
