import type { ReactNode } from 'react';

/** A number and its unit, which stay on one line however narrow a column becomes. */
export function Figure({ children }: { readonly children: ReactNode }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}
