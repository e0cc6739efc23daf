import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** The settings, for everybody. `main.ts` reads them before anything else starts, so a bad one ends the start at once. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
