import { Paper, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../../parts/page';
import { useHasRole } from '../../session/use-session';
import { AppliedLimits } from '../budgets/applied-limits';
import { KeyAudit } from './key-audit';
import { KeyButtons } from './key-buttons';
import { KeyEdit } from './key-edit';
import { KeyFacts } from './key-facts';
import { KeySettings } from './key-settings';
import type { ApiKey } from './key-types';
import { QuotaGauges } from './quota-gauges';
import { SharedObjectsNotice } from './shared-objects-notice';
import { Snippets } from './snippets';
import { UsagePanel } from './usage-panel';
import { useKeyActions } from './use-key-actions';

export function KeyDetail({ of: key }: { readonly of: ApiKey }) {
  const mayChange = useHasRole('admin');
  const [editing, setEditing] = useState(false);
  const { ask, dialogs } = useKeyActions();
  return (
    <Page
      title={key.name}
      above={{ label: 'Keys', to: '/keys' }}
      actions={mayChange && <KeyButtons of={key} ask={ask} edit={() => setEditing(true)} editing={editing} />}
    >
      <KeyFacts of={key} />
      {editing && <KeyEdit of={key} onDone={() => setEditing(false)} />}
      <QuotaGauges of={key} />
      <AppliedLimits
        title="Limits that apply"
        query={{ applies_to_key: key.id }}
        add={`/budgets/new?scope=key&key_id=${key.id}`}
        none="No limit of the account, a team, a tag or this key applies beyond the settings of the key."
      />
      <UsagePanel keyId={key.id} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <KeySettings of={key} />
        <Paper withBorder p="md" miw={0}>
          <Stack>
            <Snippets secret="<API_KEY>" allowedModels={key.allowed_models} />
            <SharedObjectsNotice />
          </Stack>
        </Paper>
      </SimpleGrid>
      <KeyAudit keyId={key.id} />
      {dialogs}
    </Page>
  );
}
