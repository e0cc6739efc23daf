import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';

/**
 * The edge /admin: reads calls, hands them to the module whose matter it is, shows what came of it. Apart, so that no
 * rule about keys hides in a controller. What is wrong with a call is told as 400 `validation_error`, before anything
 * has changed.
 */
@Module({ imports: [KeysModule], controllers: [ApiKeysController] })
export class AdminModule {}
