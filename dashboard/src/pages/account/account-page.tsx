import { SimpleGrid } from '@mantine/core';
import { Page } from '../../parts/page';
import { ChangePassword } from './change-password';
import { Sessions } from './sessions';
import { Profile } from './profile';

export function AccountPage() {
  return (
    <Page title="Account">
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Profile />
        <ChangePassword />
      </SimpleGrid>
      <Sessions />
    </Page>
  );
}
