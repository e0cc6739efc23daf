export const PATH_ID_FORM = /^[A-Za-z0-9._:-]{1,200}$/;

/** Whether a percent-decoded ID can name an upstream object in a path. `.` and `..` would change the path (D8). */
export const isPathId = (id: string): boolean => PATH_ID_FORM.test(id) && id !== '.' && id !== '..';
