import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { SecretsModule } from '../secrets/secrets.js';
import { FirstOwner } from './first-owner.service.js';
import { Lockout } from './lockout.service.js';
import { OperatorsService } from './operators.service.js';
import { Passwords } from './passwords.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInRecords, SignIn } from './sign-in.service.js';
import { GuessStore } from './stores/guess.store.js';
import { OperatorStore } from './stores/operator.store.js';
import { SessionStore } from './stores/session.store.js';

/**
 * People who run the gateway: accounts, roles, passwords, sessions, the lockout, the first owner. Apart from `auth`, which
 * knows requests and no tables. It fails with the database: nobody signs in and no session is found, which is 503 and
 * never 401; the admin key asks nothing here.
 */
@Module({
  imports: [AuditModule, DatabaseModule, SecretsModule],
  providers: [
    ...[OperatorStore, SessionStore, GuessStore],
    ...[Lockout, Passwords, OperatorsService, SessionsService, SignInRecords, SignIn, FirstOwner],
  ],
  exports: [OperatorsService, SessionsService, SignIn],
})
export class OperatorsModule {}
