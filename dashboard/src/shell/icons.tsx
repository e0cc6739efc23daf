import type { ReactNode } from 'react';

/** Renders an inline icon of 24 × 24. An icon package would add thousands of icons that nothing uses. */
const icon = (paths: ReactNode) =>
  function Icon({ size = 18 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.8}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths}
      </svg>
    );
  };

export const OverviewIcon = icon(<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />);
export const KeyIcon = icon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 9-9M17 6l3 3M14 9l2 2" />
  </>,
);
export const TeamIcon = icon(
  <>
    <circle cx="12" cy="7" r="3" />
    <path d="M6.500 20c0-3 2.500-5 5.500-5s5.500 2 5.500 5" />
    <circle cx="4.500" cy="10.500" r="2" />
    <circle cx="19.500" cy="10.500" r="2" />
  </>,
);
export const BudgetIcon = icon(
  <>
    <path d="M4 18a9 9 0 1 1 16 0" />
    <path d="m12 14 4-5" />
  </>,
);
export const ModelIcon = icon(
  <>
    <path d="m12 3 8 4.5v9L12 21l-8-4.5v-9z" />
    <path d="m4 7.5 8 4.5 8-4.5M12 12v9" />
  </>,
);
export const UpstreamIcon = icon(
  <>
    <circle cx="5" cy="12" r="2" />
    <circle cx="19" cy="5" r="2" />
    <circle cx="19" cy="12" r="2" />
    <circle cx="19" cy="19" r="2" />
    <path d="M7 12h10M7 12c6 0 4-7 10-7M7 12c6 0 4 7 10 7" />
  </>,
);
export const UsageIcon = icon(<path d="M4 20V10M10 20V4M16 20v-7M21 20H3" />);
export const CostIcon = icon(
  <path d="M12 3v18M16.500 7.500C16 6 14.500 5.500 12 5.500c-2.800 0-4.500 1.200-4.500 3.200 0 4.600 9.300 2 9.300 6.600 0 2-1.800 3.200-4.800 3.200-2.700 0-4.500-.8-5-2.500" />,
);
export const StatisticsIcon = icon(<path d="M3 17l6-6 4 4 8-8M15 7h6v6" />);
export const LogIcon = icon(<path d="M5 4h14v16H5zM9 8h6M9 12h6M9 16h3" />);
export const AuditIcon = icon(
  <>
    <path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6z" />
    <path d="m9 12 2 2 4-4" />
  </>,
);
export const WebhookIcon = icon(
  <>
    <circle cx="6" cy="17" r="3" />
    <circle cx="18" cy="17" r="3" />
    <circle cx="12" cy="6" r="3" />
    <path d="m10.500 8.600-3 5.800M13.500 8.600l3 5.800M9 17h6" />
  </>,
);
export const JobIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3 2" />
  </>,
);
export const PeopleIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.500" />
    <path d="M2.500 20c0-3.500 3-6 6.500-6s6.500 2.500 6.500 6M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.500c2.200.8 3.500 2.800 3.500 5.500" />
  </>,
);
export const BellIcon = icon(<path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4" />);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M19 5l-1.500 1.500M6.500 17.500 5 19" />
  </>,
);
export const MoonIcon = icon(<path d="M20 14.500A8 8 0 1 1 9.500 4a6.500 6.500 0 0 0 10.500 10.500z" />);
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21c0-4 3.600-7 8-7s8 3 8 7" />
  </>,
);
export const CopyIcon = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="1" />
    <path d="M5 15H4V4h11v1" />
  </>,
);
export const DotsIcon = icon(
  <>
    <circle cx="5" cy="12" r="1" />
    <circle cx="12" cy="12" r="1" />
    <circle cx="19" cy="12" r="1" />
  </>,
);
