import { createBrowserRouter } from 'react-router';
import { Frame } from './shell/frame';
import { BrokenPage, NoSuchPage } from './shell/page-not-found';

export const router = createBrowserRouter(
  [
    {
      element: <Frame />,
      errorElement: <BrokenPage />,
      children: [
        {
          // A broken page keeps the menu.
          errorElement: <BrokenPage />,
          children: [
            {
              index: true,
              lazy: async () => ({ Component: (await import('./pages/overview/overview-page')).OverviewPage }),
            },
            { path: 'keys', lazy: async () => ({ Component: (await import('./pages/keys/keys-page')).KeysPage }) },
            {
              path: 'keys/new',
              lazy: async () => ({ Component: (await import('./pages/keys/new-key-page')).NewKeyPage }),
            },
            { path: 'keys/:id', lazy: async () => ({ Component: (await import('./pages/keys/key-page')).KeyPage }) },
            { path: 'teams', lazy: async () => ({ Component: (await import('./pages/teams/teams-page')).TeamsPage }) },
            {
              path: 'teams/:id',
              lazy: async () => ({ Component: (await import('./pages/teams/team-page')).TeamPage }),
            },
            {
              path: 'budgets',
              lazy: async () => ({ Component: (await import('./pages/budgets/budgets-page')).BudgetsPage }),
            },
            {
              path: 'budgets/new',
              lazy: async () => ({ Component: (await import('./pages/budgets/new-limit-page')).NewLimitPage }),
            },
            {
              path: 'budgets/:id',
              lazy: async () => ({ Component: (await import('./pages/budgets/limit-page')).LimitPage }),
            },
            {
              path: 'models',
              lazy: async () => ({ Component: (await import('./pages/models/models-page')).ModelsPage }),
            },
            {
              path: 'upstreams',
              lazy: async () => ({ Component: (await import('./pages/upstreams/upstreams-page')).UpstreamsPage }),
            },
            {
              path: 'upstreams/:name',
              lazy: async () => ({ Component: (await import('./pages/upstreams/upstream-page')).UpstreamPage }),
            },
            { path: 'usage', lazy: async () => ({ Component: (await import('./pages/usage/usage-page')).UsagePage }) },
            { path: 'costs', lazy: async () => ({ Component: (await import('./pages/costs/costs-page')).CostsPage }) },
            {
              path: 'costs/prices',
              lazy: async () => ({ Component: (await import('./pages/prices/prices-page')).PricesPage }),
            },
            {
              path: 'statistics',
              lazy: async () => ({ Component: (await import('./pages/statistics/statistics-page')).StatisticsPage }),
            },
            {
              path: 'requests',
              lazy: async () => ({ Component: (await import('./pages/requests/requests-page')).RequestsPage }),
            },
            { path: 'audit', lazy: async () => ({ Component: (await import('./pages/audit/audit-page')).AuditPage }) },
            {
              path: 'lost-changes',
              lazy: async () => ({
                Component: (await import('./pages/lost-changes/lost-changes-page')).LostChangesPage,
              }),
            },
            {
              path: 'webhooks',
              lazy: async () => ({ Component: (await import('./pages/webhooks/webhooks-page')).WebhooksPage }),
            },
            {
              path: 'webhooks/:id',
              lazy: async () => ({ Component: (await import('./pages/webhooks/webhook-page')).WebhookPage }),
            },
            { path: 'jobs', lazy: async () => ({ Component: (await import('./pages/jobs/jobs-page')).JobsPage }) },
            {
              path: 'notifications',
              lazy: async () => ({
                Component: (await import('./pages/notifications/notifications-page')).NotificationsPage,
              }),
            },
            {
              path: 'operators',
              lazy: async () => ({ Component: (await import('./pages/operators/operators-page')).OperatorsPage }),
            },
            {
              path: 'account',
              lazy: async () => ({ Component: (await import('./pages/account/account-page')).AccountPage }),
            },
            { path: '*', element: <NoSuchPage /> },
          ],
        },
      ],
    },
  ],
  { basename: '/dashboard' },
);
