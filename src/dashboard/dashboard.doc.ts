import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { DashboardSessionResponse } from './session.dto.js';

/** Statuses of the dashboard's own calls, and what the API description says of them. */

export const SignInDoc = (): MethodDecorator =>
  described(200, 'Sign in', {
    type: DashboardSessionResponse,
    description: 'Signed in: the session cookie comes with the answer.',
  });

export const ReadSessionDoc = (): MethodDecorator =>
  signedIn(described(200, 'Read who is signed in', { type: DashboardSessionResponse }));

export const SignOutDoc = (): MethodDecorator =>
  signedIn(described(204, 'Sign out', { description: 'The session has ended; the cookie is taken away.' }));

export const ChangePasswordDoc = (): MethodDecorator =>
  signedIn(described(204, "Change one's own password", { description: 'Changed. All sessions stay.' }));

function described(
  status: 200 | 204,
  summary: string,
  answer: { readonly type?: new () => object; readonly description?: string },
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary }), ApiResponse({ status, ...answer }));
}

const signedIn = (decorator: MethodDecorator): MethodDecorator =>
  applyDecorators(decorator, ApiCookieAuth('session_cookie'));
