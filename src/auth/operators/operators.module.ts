import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { SecretsModule } from '../../platform/secrets.js';
import { SignInRecords, SignIn } from './sign-in.service.js';
import { FirstOwner } from './first-owner.service.js';
import { Lockout } from './lockout.service.js';
import { OperatorsService } from './operators.service.js';
import { Passwords } from './passwords.service.js';
import { SessionLifetime } from './session-lifetime.service.js';
import { SessionsService } from './sessions.service.js';
import { PasswordGuessStore } from './stores/password-guess.store.js';
import { OperatorStore } from './stores/operator.store.js';
import { SessionStore } from './stores/session.store.js';

/**
 * Operator accounts, roles, passwords, sessions, lockout and the first owner. It is separate from `auth`, which handles requests
 * and no tables. During a database outage, sign-in and sessions fail with 503, never 401. The admin key still works.
 */
@Module({
  imports: [AuditModule, DatabaseModule, SecretsModule],
  providers: [
    OperatorStore,
    SessionStore,
    PasswordGuessStore,
    Lockout,
    Passwords,
    OperatorsService,
    SessionLifetime,
    SessionsService,
    SignInRecords,
    SignIn,
    FirstOwner,
  ],
  exports: [OperatorsService, SessionsService, SignIn],
})
export class OperatorsModule {}
