import { Container, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RouterProvider } from 'react-router';
import { newQueryClient } from './session/query-client';
import { ErrorNotice } from './parts/error-notice';
import { router } from './routes';
import { refreshSessionAfter403 } from './session/refresh-session-after-403';
import { readSession } from './session/session-calls';
import { SignInPage } from './session/sign-in-page';
import { useSession } from './session/use-session';
import { cssVariables, theme } from './theme';

/** The content security policy rejects inline styles without this nonce. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// react-remove-scroll, which locks scrolling behind dialogs, reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

refreshSessionAfter403();

const themeMemory = localStorageColorSchemeManager({ key: 'gateway-theme' });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
      defaultColorScheme="auto"
      colorSchemeManager={themeMemory}
    >
      <Notifications position="bottom-right" />
      <Door />
    </MantineProvider>
  );
}

/** Shows the sign-in page or the dashboard. The URL does not change, so a deep link works after sign-in. */
function Door() {
  const session = useSession();
  const [error, setError] = useState<unknown>(null);
  const read = () => {
    setError(null);
    readSession().catch(setError);
  };
  useEffect(read, []);
  if ('operator' in session) return <Inside key={session.operator.id} />;
  if (session.kind === 'signedOut') return <SignInPage />;
  if (error === null) return null;
  return (
    <Container component="main" size="xs" py="xl">
      <ErrorNotice error={error} retry={read} />
    </Container>
  );
}

/**
 * Shows the dashboard of one operator. Its query cache is discarded at sign-out, so that the next operator cannot see the data.
 */
function Inside() {
  const { kind } = useSession();
  const [queries] = useState(newQueryClient);
  const hadEnded = useRef(false);
  useEffect(() => {
    if (kind === 'signedIn' && hadEnded.current) void queries.invalidateQueries();
    hadEnded.current = kind === 'expired';
  }, [kind, queries]);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
