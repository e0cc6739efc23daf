import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the content when another page is opened, so that the keyboard and screen readers go on there. A page
 * that has put it on a field of its own keeps it; a change of filters moves nothing.
 */
export function useFocusOnPage(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (content.current?.contains(document.activeElement) === false) content.current.focus({ preventScroll: true });
  }, [pathname, content]);
}
