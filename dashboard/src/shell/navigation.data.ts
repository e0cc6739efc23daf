import type { ComponentType } from 'react';
import type { Operator } from '../session/session-state';
import {
  AuditIcon,
  BudgetIcon,
  CostIcon,
  JobIcon,
  KeyIcon,
  LogIcon,
  ModelIcon,
  OverviewIcon,
  PeopleIcon,
  StatisticsIcon,
  TeamIcon,
  UpstreamIcon,
  UsageIcon,
  WebhookIcon,
} from './icons';

export interface NavigationEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** The lowest role that sees the entry. The default is viewer. */
  readonly role?: Operator['role'];
}

export const NAVIGATION: readonly { readonly label: string; readonly entries: readonly NavigationEntry[] }[] = [
  {
    label: 'Gateway',
    entries: [
      { label: 'Overview', to: '/', icon: OverviewIcon },
      { label: 'Keys', to: '/keys', icon: KeyIcon },
      { label: 'Teams', to: '/teams', icon: TeamIcon },
      { label: 'Budgets', to: '/budgets', icon: BudgetIcon },
      { label: 'Models', to: '/models', icon: ModelIcon },
      { label: 'Upstreams', to: '/upstreams', icon: UpstreamIcon },
    ],
  },
  {
    label: 'Activity',
    entries: [
      { label: 'Usage', to: '/usage', icon: UsageIcon },
      { label: 'Costs', to: '/costs', icon: CostIcon },
      { label: 'Statistics', to: '/statistics', icon: StatisticsIcon },
      { label: 'Requests', to: '/requests', icon: LogIcon },
      { label: 'Audit log', to: '/audit', icon: AuditIcon },
    ],
  },
  {
    label: 'Administration',
    entries: [
      { label: 'Webhooks', to: '/webhooks', icon: WebhookIcon },
      { label: 'Jobs', to: '/jobs', icon: JobIcon },
      { label: 'Operators', to: '/operators', icon: PeopleIcon, role: 'owner' },
    ],
  },
];
