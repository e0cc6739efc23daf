import { Button, Stack, TextInput } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../api/api-error';
import { signIn } from './session-calls';
import { SignInRejection } from './sign-in-rejection';
import { PasswordInput } from '../parts/password-input';

interface Props {
  /** Fixes the email when a session is resumed, because the open page belongs to that operator. */
  readonly email?: string;
}

export function SignInForm({ email: fixed }: Props) {
  const [email, setEmail] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const { busy, error, submit } = useSignIn(() => {
    setPassword('');
    passwordField.current?.focus();
  });
  return (
    <form onSubmit={(event) => void submit(event, email, password)}>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={fixed !== undefined}
          autoFocus={fixed === undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          ref={passwordField}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={fixed !== undefined || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {error !== null && <SignInRejection error={error} />}
        <Button type="submit" loading={busy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function useSignIn(onRejected: () => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  async function submit(event: FormEvent, email: string, password: string): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await signIn(email.trim(), password);
    } catch (caught) {
      setError(caught instanceof ApiError ? caught : ApiError.unreachable());
      onRejected();
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, submit };
}
