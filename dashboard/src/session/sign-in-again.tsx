import { Button, Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from './sign-in-form';
import { sessionState } from './session-state';
import { useSession } from './use-session';

/** Above every other dialog: that one may be what was being filled in. */
const ABOVE_ALL = 1000;

/** Over the open page when the session has ended: what was being typed is still there after signing in again. */
export function SignInAgain() {
  const state = useSession();
  return (
    <Modal
      opened={state.kind === 'expired'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      zIndex={ABOVE_ALL}
      title="Your session has ended"
    >
      {state.kind === 'expired' && (
        <Stack>
          <Text size="sm">Sign in again to go on. Nothing on this page is lost.</Text>
          <SignInForm email={state.operator.email} />
          <Button variant="subtle" color="gray" onClick={sessionState.signedOut}>
            Leave instead
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
