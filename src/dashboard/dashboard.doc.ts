import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { DashboardSessionResponse } from './session.dto.js';

export const SignInDoc = (): MethodDecorator =>
  described(200, 'Sign in', {
    type: DashboardSessionResponse,
    description: 'Signed in. The response sets the session cookie.',
  });

export const ReadSessionDoc = (): MethodDecorator =>
  signedIn(described(200, 'Get the current session', { type: DashboardSessionResponse }));

export const SignOutDoc = (): MethodDecorator =>
  signedIn(described(204, 'Sign out', { description: 'The session has ended. The response clears the cookie.' }));

export const ChangePasswordDoc = (): MethodDecorator =>
  signedIn(described(204, 'Change your password', { description: 'Changed. All sessions stay active.' }));

function described(
  status: 200 | 204,
  summary: string,
  response: { readonly type?: new () => object; readonly description?: string },
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary }), ApiResponse({ status, ...response }));
}

const signedIn = (decorator: MethodDecorator): MethodDecorator =>
  applyDecorators(decorator, ApiCookieAuth('session_cookie'));
