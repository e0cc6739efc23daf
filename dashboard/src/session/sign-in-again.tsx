import { Button, Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from './sign-in-form';
import { sessionState } from './session-state';
import { useSession } from './use-session';

/** The dialog must be above every other one, which can hold unsaved input. */
const ABOVE_ALL = 1000;

/** Asks for the password over the open page, so that unsaved input survives the end of the session. */
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
          <Text size="sm">Sign in again to continue. Nothing on this page is lost.</Text>
          <SignInForm email={state.operator.email} />
          <Button variant="subtle" color="gray" onClick={sessionState.signedOut}>
            Discard and sign out
          </Button>
        </Stack>
      )}
    </Modal>
  );
}
