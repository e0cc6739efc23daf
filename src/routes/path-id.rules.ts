/** All but `.` and `..`, which `isPathId` refuses too. */
export const PATH_ID_FORM = /^[A-Za-z0-9._:-]{1,200}$/;

/** Whether `id`, percent-decoded, may stand in a path for an object of the upstream's. `.` and `..` would lead elsewhere (D8). */
export const isPathId = (id: string): boolean => PATH_ID_FORM.test(id) && id !== '.' && id !== '..';
