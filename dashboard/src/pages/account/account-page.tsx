import { Page } from '../../parts/page';
import { ChangePassword } from './change-password';
import { Sessions } from './sessions';
import { WhoAmI } from './who-am-i';

/** Whoever is signed in: name and role, password, sessions. */
export function AccountPage() {
  return (
    <Page title="Account">
      <WhoAmI />
      <ChangePassword />
      <Sessions />
    </Page>
  );
}
