import type { ReactNode } from 'react';
import type { Capability } from './model-types';

interface CapabilityWords {
  readonly label: string;
  readonly means: string;
  readonly drawing: ReactNode;
}

export const CAPABILITIES: Readonly<Record<Capability, CapabilityWords>> = {
  vision: {
    label: 'vision',
    means: 'accepts images in messages',
    drawing: (
      <>
        <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7z" />
        <circle cx="12" cy="12" r="3" />
      </>
    ),
  },
  tool_use: {
    label: 'tools',
    means: 'calls functions',
    drawing: (
      <path d="M14.700 6.300a1 1 0 0 0 0 1.400l1.600 1.600a1 1 0 0 0 1.400 0l3.770-3.770a6 6 0 0 1-7.940 7.940l-6.910 6.910a2.120 2.120 0 0 1-3-3l6.910-6.910a6 6 0 0 1 7.940-7.940z" />
    ),
  },
  json_mode: {
    label: 'JSON',
    means: 'returns JSON on request',
    drawing: (
      <path d="M9 3.500H8a2 2 0 0 0-2 2V10l-2 2 2 2v4.500a2 2 0 0 0 2 2h1M15 3.500h1a2 2 0 0 1 2 2V10l2 2-2 2v4.500a2 2 0 0 1-2 2h-1" />
    ),
  },
  reasoning: {
    label: 'reasoning',
    means: 'accepts reasoning_effort',
    drawing: (
      <>
        <path d="M9 18h6M10 21h4" />
        <path d="M12 3a6 6 0 0 0-3.500 10.900c.500.400.500 1.100.500 1.600h6c0-.500 0-1.200.500-1.600A6 6 0 0 0 12 3z" />
      </>
    ),
  },
  web_search: {
    label: 'web search',
    means: 'searches the web on its own',
    drawing: (
      <>
        <circle cx="12" cy="12" r="9" />
        <path d="M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18" />
      </>
    ),
  },
  audio_input: {
    label: 'audio input',
    means: 'accepts audio in messages',
    drawing: (
      <>
        <rect x="9" y="3" width="6" height="11" rx="3" />
        <path d="M5 11a7 7 0 0 0 14 0M12 18v3" />
      </>
    ),
  },
  thinking: {
    label: 'thinking',
    means: 'returns its thinking',
    drawing: (
      <>
        <path d="M4 4h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-8l-5 4v-4H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z" />
        <path d="M8 10h.010M12 10h.010M16 10h.010" />
      </>
    ),
  },
  computer_use: {
    label: 'computer use',
    means: 'controls a computer',
    drawing: (
      <>
        <rect x="3" y="4" width="18" height="13" rx="1" />
        <path d="M8 21h8M12 17v4" />
      </>
    ),
  },
};

export const CAPABILITY_ORDER = Object.keys(CAPABILITIES) as readonly Capability[];
