import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** Moves the focus to the new page for keyboards and screen readers, unless one of its fields already has the focus. */
export function useFocusOnPage(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (content.current?.contains(document.activeElement) === false) content.current.focus({ preventScroll: true });
  }, [pathname, content]);
}
