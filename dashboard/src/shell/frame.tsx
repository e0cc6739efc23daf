import { AppShell } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { Suspense, useRef } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { PageSkeleton } from '../parts/page-skeleton';
import { SignInAgain } from '../session/sign-in-again';
import { Header } from './header';
import { Menu } from './menu';
import { SkipLink } from './skip-link';
import { useFocusOnPage } from './use-focus-on-page';

/** On screens this narrow, the menu covers the page. */
const PHONE = '(max-width: 47.99em)';

export function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  const onPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) === true;
  const content = useRef<HTMLElement>(null);
  const burger = useRef<HTMLButtonElement>(null);
  useFocusOnPage(content);

  function closeByKey(): void {
    close();
    burger.current?.focus();
  }

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      onKeyDown={({ key }) => onPhone && opened && key === 'Escape' && closeByKey()}
    >
      <SkipLink to={content} />
      <Header burger={burger} menuOpened={opened} toggleMenu={toggle} closeMenu={close} />
      <AppShell.Navbar id="menu" className="menu" p="xs" aria-label="Pages" inert={onPhone && !opened}>
        <Menu onChosen={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" className="content" ref={content} tabIndex={-1} inert={onPhone && opened}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <ScrollRestoration />
      <SignInAgain />
    </AppShell>
  );
}
