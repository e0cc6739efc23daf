import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../app.factory.js';
import { ConfigError, type Config } from '../config/config.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { ProcessLog } from '../telemetry/process-log.js';
import { stopOnSignal, type Stoppable } from './stop-on-signal.js';

/**
 * Makes the application and listens; from then on a signal stops it, and after it the parts. Apart from `start.ts`
 * because it takes a second to load: a wrong setting is told before, and the database starts meanwhile.
 * @returns the address
 * @throws ConfigError where host and port cannot be had
 */
export async function serve(config: Config, parts: readonly Stoppable[]): Promise<string> {
  const app = await createApp(config);
  stopOnSignal({ app, lifecycle: app.get(Lifecycle), config, log: app.get(ProcessLog), parts });
  await listen(app, config);
  return app.getUrl();
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT ${port} is taken on ${host}: stop what uses it, or set another PORT`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST ${host} is not an address of this machine`);
    throw error;
  }
}
