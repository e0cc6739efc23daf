import { Alert } from '@mantine/core';
import type { ApiError } from '../api/api-error';

/** Shown if the response has no `Retry-After`. */
const LOCKED_MINUTES = 15;

interface Props {
  readonly error: ApiError;
}

export function SignInRejection({ error }: Props) {
  return (
    <Alert color="red" role="alert" title={titleOf(error)}>
      {adviceOf(error)}
    </Alert>
  );
}

function titleOf({ code }: ApiError): string {
  if (code === 'invalid_credentials') return 'Incorrect email or password';
  if (code === 'rate_limit_exceeded') return 'Too many attempts';
  return 'Sign-in failed';
}

function adviceOf({ code, message, retryAfterSeconds }: ApiError): string {
  if (code === 'invalid_credentials')
    return 'Check both and try again. After five failed attempts, sign-in is locked for up to 15 minutes.';
  if (code !== 'rate_limit_exceeded') return message;
  const minutes = retryAfterSeconds === null ? LOCKED_MINUTES : Math.max(1, Math.ceil(retryAfterSeconds / 60));
  return `Sign-in is locked for this email or IP address. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}
