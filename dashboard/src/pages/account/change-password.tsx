import { Button, Checkbox, Group, Paper, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../parts/error-notice';
import { PasswordInput } from '../../parts/password-input';
import { showDone } from '../../parts/toasts';
import { changePassword } from '../../session/session-calls';
import { sessionState } from '../../session/session-state';
import { useOperator } from '../../session/use-session';
import { PASSWORD_LENGTH, passwordProblem } from '../../parts/password-problem';
import { useSendingForm } from '../../parts/use-sending-form';

const EMPTY = { current: '', next: '', repeated: '', endOthers: true };

export function ChangePassword() {
  const { email } = useOperator();
  const { form, busy, error, submit } = useChange();
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} noValidate>
      <Stack maw={420}>
        <Title order={2} size="h4">
          Password
        </Title>
        {/* Password managers need the username. */}
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
          label="Confirm new password"
          autoComplete="new-password"
          required
          {...form.getInputProps('repeated')}
        />
        <Checkbox
          label="End all other sessions"
          description="Your other devices must sign in again. This session continues."
          {...form.getInputProps('endOthers', { type: 'checkbox' })}
        />
        {error !== null && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            Change password
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function useChange() {
  const queries = useQueryClient();
  const sending = useSendingForm({
    initialValues: EMPTY,
    validate: {
      current: (current) => (current === '' ? 'Enter your current password.' : null),
      next: passwordProblem,
      repeated: (repeated, { next }) => (repeated === next ? null : 'The passwords do not match.'),
    },
    send: async ({ current, next, endOthers }) => {
      const change = { current_password: current, new_password: next, end_other_sessions: endOthers };
      await changePassword(change).catch((caught: unknown) => {
        throw atField(caught);
      });
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      sending.form.reset();
      showDone(
        endOthers
          ? 'Password changed. All other sessions have ended.'
          : 'Password changed. Your other sessions stay signed in.',
      );
    },
  });
  return sending;
}

/** Maps an API error to a field of this form. A 401 opens the dialog for the ended session. */
function atField(caught: unknown): unknown {
  if (!(caught instanceof ApiError)) return caught;
  const { code, message, status, requestId, retryAfterSeconds } = caught;
  const errorOf = (text: string, param: string | null) =>
    new ApiError(text, { status, code, param, requestId, retryAfterSeconds });
  if (code === 'invalid_credentials') return errorOf('The current password is incorrect.', 'current');
  if (status === 401) sessionState.ended();
  if (status === 429)
    return errorOf(`Too many incorrect passwords. Try again in ${minutesOf(retryAfterSeconds)}.`, null);
  return caught.param === 'new_password' ? errorOf(message, 'next') : caught;
}

function minutesOf(seconds: number | null): string {
  const minutes = Math.max(1, Math.ceil((seconds ?? 900) / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
