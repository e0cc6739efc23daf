/** An id in a path under /v1 in the words of the API description; `RouteGuard` asks `isPathId`, which also refuses `.` and `..`. */
export const PATH_ID = { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,200}$' } as const;
