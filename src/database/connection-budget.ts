import type { Config } from '../config/config.js';

/** Connections of a process outside its general pool: for admission, for change notifications, and for the lock of a job. */
const DEDICATED = 3;
/** A process that accepts no more requests needs these for its running streams: admission, notifications, and usage. */
const DRAINING = 4;

type Sizes = Pick<Config, 'databasePool' | 'workers'>;

/** Maximum number of connections that one gateway opens. */
export const connectionsOf = ({ databasePool, workers }: Sizes): number => workers * (databasePool + DEDICATED);

/** Maximum number of connections that a gateway keeps after its drain delay. */
export const drainingConnectionsOf = ({ databasePool, workers }: Sizes): number =>
  workers * Math.min(DRAINING, databasePool + DEDICATED);
