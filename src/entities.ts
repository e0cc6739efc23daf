/** The one list of entities; app.module and ormconfig hand it to database/. */
export const ENTITIES: Function[] = [];
