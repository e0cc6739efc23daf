import type { MouseEvent, RefObject } from 'react';

interface Props {
  readonly to: RefObject<HTMLElement | null>;
}

export function SkipLink({ to }: Props) {
  function skip(event: MouseEvent): void {
    event.preventDefault();
    to.current?.focus();
  }
  return (
    <a className="skip-link" href="#content" onClick={skip}>
      Skip to content
    </a>
  );
}
