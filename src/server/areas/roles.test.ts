/** Which role of an administrator may make which call: every call, every role, and a visitor. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { areas } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Role, roles } from '#contract/roles.ts';
import { createAdmin } from '#server/people/admins.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
const tokens = new Map<Role, string>();
const ids = new Map<Role, string>();

beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  for (const role of roles) {
    const login = { email: `${role}@bank.example`, password: 'a quiet river stone' };
    ids.set(role, (await createAdmin(bank.bank.parts, { ...login, name: role, role }))!.id);
    tokens.set(role, (await bank.call(adminApi.adminLogin, { body: login })).body.data.token);
  }
});
afterAll(() => bank.close());

const adminCalls = Object.values(areas)
  .flatMap(api => Object.entries(api) as [string, Endpoint][])
  .filter(([, { access }]) => access === 'admin');

/** Written by hand, so that a change of roles in the contract fails here. All roles may make the calls that are not listed. */
const allowed: Record<string, readonly Role[]> = {
  openRetained: ['auditor'],
  auditLog: ['auditor', 'owner'],
  approve: ['operator', 'owner'],
  verifyId: ['operator', 'owner'],
  credit: ['operator', 'owner'],
  creditOnUserPath: ['operator', 'owner'],
  freeze: ['operator', 'owner'],
  returnHeldPayment: ['operator', 'owner'],
  deleteUser: ['operator', 'owner'],
  approveRequest: ['operator', 'owner'],
  declineRequest: ['operator', 'owner'],
  withdrawRequest: ['operator', 'owner'],
  changeFourEyes: ['owner'],
  listStaff: ['auditor', 'owner'],
  inviteMember: ['owner'],
  changeRole: ['owner'],
  disableMember: ['owner'],
  enableMember: ['owner'],
  resetMember: ['owner'],
  endMemberSessions: ['owner'],
  resetFactors: ['operator', 'owner'],
  cancelFactorReset: ['operator', 'owner'],
  reverse: ['operator', 'owner'],
  changeCustomer: ['operator', 'owner'],
  rejectApplication: ['operator', 'owner'],
  requestId: ['operator', 'owner'],
  addNote: ['support', 'operator', 'owner'],
  endCustomerSessions: ['support', 'operator', 'owner'],
  resendMail: ['support', 'operator', 'owner'],
  assignAlert: ['support', 'operator', 'owner'],
  closeAlert: ['support', 'operator', 'owner'],
  assignRailException: ['operator', 'owner'],
  retryRailException: ['operator', 'owner'],
  resolveRailException: ['operator', 'owner'],
  decideHit: ['operator', 'owner'],
  reopenHit: ['operator', 'owner'],
  exportCustomers: ['operator', 'auditor', 'owner'],
  exportAllTransactions: ['operator', 'auditor', 'owner'],
  exportAudit: ['auditor', 'owner'],
  assignMessage: ['support', 'operator', 'owner'],
  answerMessage: ['support', 'operator', 'owner'],
  closeMessage: ['support', 'operator', 'owner'],
  startProof: ['operator', 'auditor', 'owner'],
  payOutUnclaimed: ['operator', 'owner'],
  assignUnclaimed: ['operator', 'owner'],
};

/** Makes a call with a query that no call accepts. Even an admitted caller is refused, so nothing is done. */
const attempt = (endpoint: Endpoint, token: string | undefined) =>
  bank.call(endpoint, {
    token,
    query: { nonsense: 1 },
    params: { id: ids.get('owner')!, accountNumber: '1' },
  });

describe.each(adminCalls)('the call %s', (name, endpoint) => {
  test.each(roles)('is allowed or refused for the role %s as listed [ST-70]', async role => {
    const { status, body } = await attempt(endpoint, tokens.get(role));
    const isAllowed = (allowed[name] ?? roles).includes(role);
    expect({ status, code: body.code }).toEqual(
      isAllowed ? { status: 400, code: 'VALIDATION' } : { status: 403, code: 'FORBIDDEN' },
    );
  });

  test('is refused for a visitor [ST-70]', async () => {
    expect((await attempt(endpoint, undefined)).status).toBe(401);
  });
});

test('of the calls that change something, only those about the caller’s own login are open to all roles [ST-70]', () => {
  const ofAll = adminCalls.filter(([name, { method }]) => method !== 'GET' && !(name in allowed));
  expect(ofAll.map(([name]) => name).sort()).toEqual([
    'adminAddPasskey',
    'adminConfirmApp',
    'adminConfirmOptions',
    'adminLogout',
    'adminPasskeyOptions',
    'adminRemoveApp',
    'adminRemovePasskey',
    'adminRenewRecoveryCodes',
    'adminReportActivity',
    'adminStartApp',
    'changeAdminPassword',
  ]);
});

test('no customer call names roles, and every administrator call does [ST-70]', () => {
  for (const [name, { access, roles: named }] of Object.values(areas).flatMap(
    api => Object.entries(api) as [string, Endpoint][],
  ))
    expect({ name, hasRoles: named !== undefined }).toEqual({ name, hasRoles: access === 'admin' });
});

test('a changed role takes effect with the next request, in the same session [ST-71]', async () => {
  const { status } = await bank.call(adminApi.auditLog, { token: tokens.get('auditor') });
  expect(status).toBe(200);
  await bank.test.database.ownerPool.query("UPDATE admins SET role = 'viewer' WHERE id = $1", [
    ids.get('auditor'),
  ]);
  expect((await bank.call(adminApi.auditLog, { token: tokens.get('auditor') })).status).toBe(403);
});
