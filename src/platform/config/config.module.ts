import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** Provides the settings to all modules. They are read before the application is created, so invalid ones fail early. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
