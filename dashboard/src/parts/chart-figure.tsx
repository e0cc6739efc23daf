import type { ReactNode } from 'react';

/** Never breaks a number and its unit over two lines. */
export function Figure({ children }: { readonly children: ReactNode }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}
