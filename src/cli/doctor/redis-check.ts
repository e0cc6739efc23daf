import type { Config } from '../../config/config.js';
import { inAwakeTime } from '../../database/awake-timer.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { fail, ok, warn, type Finding } from './finding.js';

const CHECK = 'redis';
const ANSWER_MS_MAX = 3000;
const NEEDED = 'A gateway counts in PostgreSQL meanwhile.';

/** Whether Redis or Valkey is there and can be counted in; nothing where `REDIS_URL` is not set. */
export async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [];
  const place = new URL(redisUrl).host;
  const connection = new RedisConnection(redisUrl, { name: 'gateway-doctor' });
  connection.start();
  try {
    // Within its own limit.
    await connection.settled;
    return [await inAwakeTime(ANSWER_MS_MAX, lookAt(connection, place), () => new Error('no answer'))];
  } catch (error) {
    const advice = `Put REDIS_URL right, or see whether the server runs and may be asked. ${NEEDED}`;
    return [fail(CHECK, `${place} cannot be used: ${(error as Error).message}`, advice)];
  } finally {
    await connection.stop();
  }
}

async function lookAt({ client, lastError }: RedisConnection, place: string): Promise<Finding> {
  if (client === null) throw lastError ?? new Error('no connection');
  // What counting is made of: a user without the right to it is told here and not by the first request.
  await client.eval('return redis.call("TIME")');
  const server = await client.info('server');
  const version = /^(?:valkey|redis)_version:(\S+)/m.exec(server)?.[1] ?? 'of an unknown version';
  if (/^redis_mode:cluster/m.test(server)) {
    const message = `${place} is a cluster: as soon as it has more than one node, counting there fails`;
    return warn(CHECK, message, 'Use a server that is no cluster, with a replica if need be.');
  }
  return ok(CHECK, `${place} answers, ${version}`);
}
