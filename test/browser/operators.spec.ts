import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createOperator, OPERATOR_PASSWORD, OperatorSession, signIn } from '../support/operator-session.js';
import { AXE_MS_MAX, expectAccessible } from './axe.js';
import { isWiderThanScreen, PHONE, screenshot, startDashboard, type Dashboard } from './browser.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

interface Row {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}
const operators = async (): Promise<Row[]> =>
  (await dashboard.gateway.admin<{ operators: Row[] }>('GET', '/admin/operators')).body.operators;
const found = async (email: string) => (await operators()).find((row) => row.email === email);
const made = (fields: Record<string, unknown> = {}) => createOperator(dashboard.gateway, 'viewer', fields);
const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const passwordOn = (page: Page) => dialog(page).getByRole('textbox', { name: 'Password' });
async function choose(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('operator creation', () => {
  test('an operator can be created with a generated password, which is shown once and works', async () => {
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await button(page, 'Create operator').click();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await page.getByRole('radio', { name: 'Admin' }).click();
    await button(page, 'Generate password').click();
    await button(page, 'Create').dblclick();
    await page.getByText('Copy the password now').waitFor();
    const password = await passwordOn(page).inputValue();
    expect(password).toMatch(/^\w{5}(-\w{5}){3}$/);
    await button(page, 'Copy password').click();
    await button(page, 'Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
    await screenshot(page, 'operator-password');
    await button(page, 'Done').click();
    await rowOf(page, 'grace@example.com').getByText('admin', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(password);
    const signedIn = await signIn(dashboard.gateway, 'grace@example.com', password);
    expect(signedIn.body.operator).toMatchObject({ name: 'Grace', role: 'admin' });
  });

  test('invalid values and a used email are reported at their fields', async () => {
    const { email } = await made();
    const expects = [/^400 POST \/admin\/operators$/];
    const page = await dashboard.signedIn('owner', { path: '/operators?new=1', expects });
    await button(page, 'Create').click();
    await page.getByText('Enter an email address.').waitFor();
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('The password must have 12 to 200 characters.').waitFor();
    await page.getByLabel('Email').fill(email.toUpperCase());
    await page.getByRole('textbox', { name: 'Name' }).fill('Somebody else');
    await page.getByLabel(/^Initial password/).fill(OPERATOR_PASSWORD);
    await button(page, 'Create').click();
    await page.getByText('An operator with this email already exists. Use another email.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Somebody else');
  });
});

describe('operator changes', () => {
  test('saving name and role keeps a concurrent change to another field', async () => {
    const { email, id } = await made({ name: 'Before' });
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await choose(page, email, 'Edit');
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('After');
    await dialog(page).getByRole('radio', { name: 'Admin' }).click();
    // Another owner changes the same operator.
    await dashboard.gateway.admin('PATCH', `/admin/operators/${id}`, { disabled: true });
    await button(page, 'Save').click();
    await rowOf(page, email).getByText('After').waitFor();
    expect(await found(email)).toMatchObject({ name: 'After', role: 'admin', disabled: true });
  });

  test('disabling an operator ends the operator’s sessions', async () => {
    const { email } = await made();
    const session = await OperatorSession.open(dashboard.gateway, email);
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await choose(page, email, 'Edit');
    await dialog(page).getByRole('switch', { name: 'Disabled' }).click();
    await button(page, 'Save').click();
    await rowOf(page, email).getByText('disabled').waitFor();
    expect((await session.call('GET', '/admin/api-keys')).status).toBe(401);
  });

  test('a new password ends the operator’s sessions and is shown once', async () => {
    const { email } = await made();
    const session = await OperatorSession.open(dashboard.gateway, email);
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await choose(page, email, 'Set new password');
    await dialog(page)
      .getByLabel(/^New password/)
      .fill('too short');
    await button(page, 'Set password').click();
    await page.getByText('The password must have 12 to 200 characters.').waitFor();
    await dialog(page)
      .getByLabel(/^New password/)
      .fill('typed by an owner');
    await button(page, 'Set password').click();
    await page.getByText('Copy the password now').waitFor();
    expect(await passwordOn(page).inputValue()).toBe('typed by an owner');
    await button(page, 'Done').click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await session.call('GET', '/admin/api-keys')).status).toBe(401);
    expect((await signIn(dashboard.gateway, email, 'typed by an owner')).status).toBe(200);
  });

  test('an owner sees the sessions of an operator, and can end one or all', async () => {
    const { email } = await made();
    const open = (agent: string) => signIn(dashboard.gateway, email, OPERATOR_PASSWORD, { 'user-agent': agent });
    for (const agent of ['curl/8.1', 'python-requests/2.3', 'node']) await open(agent);
    const sessions = await OperatorSession.open(dashboard.gateway, email);
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await choose(page, email, 'Sessions');
    await page.getByText('4 in total').waitFor();
    await page.getByRole('row').filter({ hasText: 'curl 8' }).getByText('127.0.0.1').waitFor();
    await screenshot(page, 'operator-sessions');
    await button(page, 'End session: curl 8, 127.0.0.1').click();
    await button(page, 'End session').click();
    await page.getByText('3 in total').waitFor();
    await button(page, 'End all sessions').click();
    await page.getByRole('dialog', { name: 'End all sessions?' }).getByRole('button', { name: 'End all' }).click();
    await page.getByText('3 sessions ended.').waitFor();
    await page.getByText('No sessions').waitFor();
    expect((await sessions.call('GET', '/admin/sessions')).status).toBe(401);
  });

  test('deleting an operator requires typing the email', async () => {
    const { email } = await made();
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await choose(page, email, 'Delete');
    expect(await button(page, 'Delete permanently').isDisabled()).toBe(true);
    await dialog(page).getByRole('textbox').fill(email);
    await button(page, 'Delete permanently').click();
    await rowOf(page, email).waitFor({ state: 'detached' });
    expect(await found(email)).toBeUndefined();
  });
});

describe('row of the signed-in operator', () => {
  test('the signed-in operator’s row is marked and links to the account page for the password', async () => {
    const { operator } = await dashboard.operator('owner');
    const page = await dashboard.signedIn('owner', { path: '/operators' });
    await rowOf(page, operator.email).getByText('you', { exact: true }).waitFor();
    expect(await page.getByText('you', { exact: true }).count()).toBe(1);
    await choose(page, operator.email, 'Change your password');
    await page.waitForURL('**/account');
  });

  test('an owner who gives up the role immediately loses access to the page', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'owner');
    const page = await dashboard.as(session, { path: '/operators' });
    await choose(page, session.operator.email, 'Edit');
    await dialog(page).getByRole('radio', { name: 'Viewer' }).click();
    await page.getByText('After saving, you can no longer access this page.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Your role does not allow this').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Operators' }).count()).toBe(0);
  });

  test('an owner who deletes their own account is signed out', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'owner');
    const expects = [/^401 /];
    const page = await dashboard.as(session, { path: '/operators', expects });
    await choose(page, session.operator.email, 'Delete');
    await page.getByText('This is your own account').waitFor();
    await dialog(page).getByRole('textbox').fill(session.operator.email);
    await button(page, 'Delete permanently').click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await found(session.operator.email)).toBeUndefined();
  });
});

describe('last owner', () => {
  test('the last owner cannot be demoted, disabled or deleted, and the dialog shows why', async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'owner');
    for (const { id, role } of await operators())
      if (role === 'owner' && id !== session.operator.id)
        await dashboard.gateway.admin('PATCH', `/admin/operators/${id}`, { disabled: true });
    const { email } = session.operator;
    const explanation = 'The last owner cannot be removed, disabled or demoted. Make another operator an owner first.';
    const expects = [/^400 (PATCH|DELETE) \/admin\/operators\//];
    const page = await dashboard.as(session, { path: '/operators', expects });
    await choose(page, email, 'Edit');
    await dialog(page).getByRole('radio', { name: 'Viewer' }).click();
    await button(page, 'Save').click();
    await dialog(page).getByText(explanation).waitFor();
    await screenshot(page, 'last-owner');
    await dialog(page).getByRole('radio', { name: 'Owner' }).click();
    await dialog(page).getByRole('switch', { name: 'Disabled' }).click();
    await button(page, 'Save').click();
    await dialog(page).getByText(explanation).waitFor();
    await button(page, 'Cancel').click();
    await choose(page, email, 'Delete');
    await dialog(page).getByRole('textbox').fill(email);
    await button(page, 'Delete permanently').click();
    await dialog(page).getByText(explanation).waitFor();
    expect(await found(email)).toMatchObject({ role: 'owner', disabled: false });
    for (const { id, role, disabled } of await operators())
      if (role === 'owner' && disabled)
        await dashboard.gateway.admin('PATCH', `/admin/operators/${id}`, { disabled: false });
  });
});

describe('access without the owner role', () => {
  test.each(['viewer', 'admin'] as const)('the %s role gets a message, and no request is sent', async (role) => {
    const page = await dashboard.signedIn(role, { path: '/operators?new=1' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByText('Your role does not allow this').waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(asked.filter((path) => path.startsWith('/admin/operators'))).toEqual([]);
  });
});

test(
  'the operators page and its dialogs are accessible and fit on a phone screen',
  async () => {
    const session = await OperatorSession.of(dashboard.gateway, 'owner');
    const { email } = await made({ name: 'A name of some length' });
    const page = await dashboard.as(session, { path: '/operators', viewport: PHONE });
    await rowOf(page, email).waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await screenshot(page, 'operators-phone');
    await button(page, 'Create operator').click();
    await button(page, 'Create').click();
    await expectAccessible(page);
    await button(page, 'Generate password').click();
    await expectAccessible(page);
    await button(page, 'Cancel').click();
    await choose(page, session.operator.email, 'Edit');
    await dialog(page).getByRole('radio', { name: 'Viewer' }).click();
    await expectAccessible(page);
    await button(page, 'Cancel').click();
    await choose(page, session.operator.email, 'Sessions');
    await page.getByText('1 in total').waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await choose(page, email, 'Delete');
    await dialog(page).waitFor();
    await expectAccessible(page);
    const other = await dashboard.signedIn('viewer', { path: '/operators' });
    await other.getByText('Your role does not allow this').waitFor();
    await expectAccessible(other);
  },
  AXE_MS_MAX,
);
