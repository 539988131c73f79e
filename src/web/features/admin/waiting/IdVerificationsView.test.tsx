/** The queues of waiting customers: the totals under the list, the pictures, and the review of one customer. */
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Application, WaitingCustomer } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';
import { ApprovalsView } from './ApprovalsView.tsx';
import { IdVerificationsView } from './IdVerificationsView.tsx';

const owner = { ...ida, role: 'owner' } as const;
const jun: WaitingCustomer = {
  _id: 'u1',
  firstName: 'Jun',
  lastName: 'Takeda',
  email: 'jun.takeda@inkstone.example',
  accountNumber: '482109375527',
  avatar: { url: '/files/avatars/jun' },
  idCard: null,
  waitingSince: '2026-11-20T18:05:00.000Z',
};
const application: Application = {
  ...jun,
  middleName: '',
  gender: 'male',
  isEmailProven: false,
  phoneNumber: '2125550147',
  address: '18 Meadow Row',
  city: null,
  region: 'New York',
  zipCode: '10014',
  dateOfBirth: null,
  isApproved: false,
  isVerified: false,
  registeredAt: jun.waitingSince,
};

const asked: string[] = [];

function openView(View: typeof ApprovalsView, customers = [jun]) {
  const page = { customers, currentPage: 1, totalPages: 1, totalCustomers: 5, ready: 2 };
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    const data = address.endsWith('/application') ? application : page;
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn(owner));
  return renderWith(store, <View menu={null} />);
}

test('the ID verifications say how many can be reviewed and how many have no ID [A-47]', async () => {
  openView(IdVerificationsView);
  expect(await screen.findByText('Page 1 of 1 (2 to review, 3 without an ID)')).toBeTruthy();
});

test('the printed ID verifications say who has uploaded an ID and who has not [A-47]', async () => {
  openView(IdVerificationsView, [
    { ...jun, idCard: { url: '/id' } },
    { ...jun, _id: 'u2' },
  ]);
  const uploaded = await screen.findByText('ID uploaded');
  expect(uploaded.closest('.screen-only')).toBeNull();
  expect(screen.getAllByText('No ID Uploaded')).toHaveLength(1);
});

test('the approvals show the profile picture of a customer', async () => {
  const { container } = openView(ApprovalsView);
  expect(await screen.findByText('Page 1 of 1 (5 waiting)')).toBeTruthy();
  expect(container.querySelector('tbody img')?.getAttribute('src')).toBe('/files/avatars/jun');
});

test('the review of a customer shows the email second, the phone number in groups, and that there is no ID [A-48]', async () => {
  openView(ApprovalsView);
  await userEvent.click(await screen.findByRole('button', { name: 'Review Jun Takeda' }));
  await screen.findByText('(212) 555-0147');
  const facts = [...document.querySelectorAll('.ApplicationReview-facts > div')].map(row => row.textContent);
  expect(facts[1]).toBe('Emailjun.takeda@inkstone.example Not confirmed');
  expect(facts.at(-1)).toBe('ID uploadedNo');
});

/** Opens the review of a customer with an ID document, which the administrator has seen. `state`: the application's. */
async function reviewId(state: Partial<Application>, send: () => Response) {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:id', revokeObjectURL: () => {} }));
  const withId = { ...jun, idCard: { url: '/id' } };
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit) => {
    if (method !== 'GET') bodies.push(JSON.parse(body as string));
    if (method !== 'GET') return send();
    if (address === '/id') return new Response('x', { headers: { 'content-type': 'image/png' } });
    const page = { customers: [withId], currentPage: 1, totalPages: 1, totalCustomers: 1, ready: 1 };
    const data = address.endsWith('/application') ? { ...application, ...withId, ...state } : page;
    return Response.json({ success: true, message: '', data });
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn(owner));
  renderWith(store, <IdVerificationsView menu={null} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Verify ID of Jun Takeda' }));
  const review = await screen.findByRole('dialog');
  fireEvent.load(await within(review).findByRole('img', { name: 'ID document' }));
  return { review, bodies };
}

async function asksForDocument(review: HTMLElement): Promise<HTMLElement> {
  await userEvent.click(within(review).getByRole('button', { name: words.askForDocument }));
  const form = await screen.findByRole('dialog', { name: /better document/ });
  await userEvent.type(within(form).getByRole('textbox'), 'It is blurred.');
  await userEvent.click(within(form).getByRole('button', { name: 'Ask for a document' }));
  return form;
}

test('an administrator whose verification got no answer reads that its result is unknown, then what is true [A-66]', async () => {
  const state: Partial<Application> = { isVerified: false };
  const { review } = await reviewId(state, () => {
    throw new TypeError('Failed to fetch');
  });
  const verify = () => within(review).getByRole('button', { name: 'Verify ID of Jun Takeda' });
  await userEvent.click(verify());
  expect(await within(review).findByText(words.actUnknown)).toBeTruthy();
  state.isVerified = true;
  await userEvent.click(verify());
  expect(await within(review).findByText(adminMessages.verifiedBefore)).toBeTruthy();
  expect(within(review).queryByText(words.actUnknown)).toBeNull();
});

test('an administrator whose request for a better document got no answer reads that it was made, and cannot mail the customer twice [A-66, A-67]', async () => {
  const state: Partial<Application> = {};
  const { review } = await reviewId(state, () => {
    state.isIdRequested = true;
    throw new TypeError('Failed to fetch');
  });
  const form = await asksForDocument(review);
  expect(await within(form).findByText(words.idAskedSince)).toBeTruthy();
  expect(within(form).queryByRole('button', { name: 'Ask for a document' })).toBeNull();
});

test('an administrator who asks for a better document after a colleague verified it can only close the form [A-67]', async () => {
  const state: Partial<Application> = {};
  const { review } = await reviewId(state, () => {
    state.isVerified = true;
    const message = staffMessages.verifiedAlready;
    return Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 });
  });
  const form = await asksForDocument(review);
  expect(await within(form).findByText(adminMessages.verifiedBefore)).toBeTruthy();
  expect(within(form).queryByRole('button', { name: 'Ask for a document' })).toBeNull();
});

test('an administrator who verifies a document after a colleague asked for a better one reads why the colleague asked, and then decides [ST-96]', async () => {
  const state: Partial<Application> = {};
  const { review, bodies } = await reviewId(state, () => {
    Object.assign(state, { isIdRequested: true, idRequest: 'The picture is blurred.' });
    const message = adminMessages.idRequestedSince;
    return Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 });
  });
  const verify = () => within(review).getByRole('button', { name: 'Verify ID of Jun Takeda' });
  await userEvent.click(verify());
  expect(await within(review).findByText('The picture is blurred.')).toBeTruthy();
  expect(within(review).getByText(adminMessages.idRequestedSince)).toBeTruthy();
  await userEvent.click(verify());
  await vi.waitFor(
    () => expect(bodies).toEqual([{ isIdRequested: false }, { isIdRequested: true }]),
    waitOptions,
  );
});

test('an administrator who asks for a better document just after a colleague did reads the colleague’s reason, and the customer gets one mail [ST-96]', async () => {
  const state: Partial<Application> = {};
  const { review, bodies } = await reviewId(state, () => {
    Object.assign(state, { isIdRequested: true, idRequest: 'The picture is cut off.' });
    const message = adminMessages.idRequestedSince;
    return Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 });
  });
  const form = await asksForDocument(review);
  expect(await within(form).findByText(words.idAskedSince)).toBeTruthy();
  expect(within(form).queryByRole('button', { name: 'Ask for a document' })).toBeNull();
  expect(screen.getByText('The picture is cut off.')).toBeTruthy();
  expect(bodies).toEqual([{ reason: 'It is blurred.', isIdRequested: false }]);
});

test('the review of a frozen customer gives the reason of staff [A-49]', async () => {
  const { review } = await reviewId({ isFrozen: true, frozenReason: 'Reported as stolen.' }, () =>
    Response.error(),
  );
  expect(within(review).getByText('Reported as stolen.')).toBeTruthy();
});

test('an administrator who has asked for a better document can ask again [ST-96]', async () => {
  const { review, bodies } = await reviewId({ isIdRequested: true }, () =>
    Response.json({ success: true, message: 'Asked.', data: null }),
  );
  expect(within(review).getByText(words.idAsked)).toBeTruthy();
  await asksForDocument(review);
  await vi.waitFor(() => expect(bodies).toHaveLength(1), waitOptions);
});

test('an administrator asks a customer without an ID document for one, not for a better one [ST-96]', async () => {
  openView(IdVerificationsView);
  await userEvent.click(await screen.findByRole('button', { name: 'Review Jun Takeda' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for an ID document' }));
  const form = screen.getByRole('dialog', { name: 'Ask Jun Takeda for an ID document?' });
  await userEvent.click(within(form).getByRole('button', { name: 'We need it to verify your identity.' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Ask for a document' }));
  await vi.waitFor(
    () => expect(asked.some(address => address.endsWith('/request-id'))).toBe(true),
    waitOptions,
  );
});

test('an administrator who opens the review of an ID that a colleague has verified reads why it cannot be verified [A-50]', async () => {
  const { review } = await reviewId({ isVerified: true }, () => Response.error());
  expect(await within(review).findByText(adminMessages.verifiedBefore)).toBeTruthy();
  expect(within(review).queryByRole('button', { name: 'Verify ID of Jun Takeda' })).toBeNull();
});

test('an administrator reads that an application that was viewed but waits for a new document cannot be selected [SD-17]', async () => {
  const viewed = { ...jun, isViewed: true };
  openView(ApprovalsView, [viewed, { ...viewed, _id: 'u2', isIdRequested: true }]);
  await screen.findByRole('checkbox', { name: 'Select the 1 application on this page that you viewed' });
  expect(
    screen.getByText(
      /^1 application on this page that you viewed can’t be selected\. Possible reasons: a requested ID document/,
    ),
  ).toBeTruthy();
});

test('an administrator who approves a customer who was asked for a new document sees the review first [ST-96]', async () => {
  openView(ApprovalsView, [{ ...jun, isIdRequested: true }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Approve Jun Takeda' }));
  expect(await screen.findByRole('dialog', { name: 'Application: Jun Takeda' })).toBeTruthy();
});

test('an administrator whose verification is refused because the document was replaced keeps the focus in the dialog, where the reason comes into view [A-50]', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => scrolled.mockRestore());
  const state: Partial<Application> = {};
  const { review } = await reviewId(state, () => {
    state.idCardAt = '2026-11-21T18:05:00.000Z';
    const message = adminMessages.idReplaced;
    return Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 });
  });
  await userEvent.click(within(review).getByRole('button', { name: 'Verify ID of Jun Takeda' }));
  const reason = await within(review).findByText(adminMessages.idReplaced);
  expect(scrolled.mock.contexts.some(place => (place as Element).contains(reason))).toBe(true);
  expect(document.activeElement).toBe(review);
});

test('an administrator can list only the customers who have confirmed their email, in a chosen order [A-46]', async () => {
  openView(ApprovalsView);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Newest first');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Email confirmed');
  await vi.waitFor(
    () => expect(asked.at(-1)).toMatch(/\/approvals\?page=1&sort=newest&list=confirmed$/),
    waitOptions,
  );
  expect(screen.getByRole('combobox', { name: 'Show' })).toHaveProperty('value', 'confirmed');
  expect(screen.getByRole('combobox', { name: 'Sort by' })).toHaveProperty('value', 'newest');
});
