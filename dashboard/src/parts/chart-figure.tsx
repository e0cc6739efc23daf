import type { ReactNode } from 'react';

/** A number and its unit, never broken over two lines. */
export function Figure({ children }: { readonly children: ReactNode }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}
