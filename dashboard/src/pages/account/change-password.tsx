import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../parts/error-notice';
import { PasswordInput } from '../../parts/password-input';
import { showDone } from '../../parts/toasts';
import { changePassword } from '../../session/session-calls';
import { sessionState } from '../../session/session-state';
import { useOperator } from '../../session/use-session';
import { PASSWORD_LENGTH, passwordTrouble } from '../../parts/password-trouble';
import { useSendingForm } from '../../parts/use-sending-form';

const EMPTY = { current: '', next: '', repeated: '' };

/** One's own password. Sessions stay: whoever fears that somebody else is signed in ends those below. */
export function ChangePassword() {
  const { email } = useOperator();
  const { form, busy, error, submit } = useChange();
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} noValidate>
      <Stack maw={420}>
        <Title order={2} size="h4">
          Password
        </Title>
        {/* So that password managers know whose it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label="New password"
          description={`${PASSWORD_LENGTH}.`}
          autoComplete="new-password"
          required
          {...form.getInputProps('next')}
        />
        <PasswordInput
          label="New password, once more"
          autoComplete="new-password"
          required
          {...form.getInputProps('repeated')}
        />
        <Text size="sm">Your other sessions stay signed in. End them below if they should not.</Text>
        {error !== null && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function useChange() {
  const sending = useSendingForm({
    initialValues: EMPTY,
    validate: {
      current: (current) => (current === '' ? 'Enter your current password.' : null),
      next: passwordTrouble,
      repeated: (repeated, { next }) => (repeated === next ? null : 'This is not the same as the new password.'),
    },
    send: async ({ current, next }) => {
      await changePassword(current, next).catch((caught: unknown) => {
        throw atField(caught);
      });
      sending.form.reset();
      showDone('The password is changed. Your other sessions stay signed in.');
    },
  });
  return sending;
}

/** A refusal in the words and at the fields of this form. A session that has ended is told by the frame's dialog. */
function atField(caught: unknown): unknown {
  if (!(caught instanceof ApiError)) return caught;
  const { code, message, status, requestId, retryAfterSeconds } = caught;
  const told = (text: string, param: string | null) =>
    new ApiError(text, { status, code, param, requestId, retryAfterSeconds });
  if (code === 'invalid_credentials') return told('This is not your current password.', 'current');
  if (status === 401) sessionState.ended();
  if (status === 429) return told(`Too many wrong passwords. Try again in ${minutesOf(retryAfterSeconds)}.`, null);
  return caught.param === 'new_password' ? told(message, 'next') : caught;
}

function minutesOf(seconds: number | null): string {
  const minutes = Math.max(1, Math.ceil((seconds ?? 900) / 60));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
