/** The messages: answering, closing and taking over, also if a colleague is faster or an answer is lost. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import * as contactMessages from '#contract/messages/contact.ts';
import {
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  page,
  person,
  sidebar,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

const letter = {
  _id: id(6),
  at,
  name: 'Wilma Krol',
  email: 'wilma@mail.example',
  subject: 'A card',
  state: 'open',
};

test('support answers a message and closes it; a viewer only reads it [SD-32]', async () => {
  const other = {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: { ...letter, message: 'Do you have one?', answers: [] },
  };
  const { sent } = await enter('support', `?view=messages&message=${id(6)}`, other);
  expect(sidebar().textContent).toContain('Messages1 waiting');
  const sheet = await dialog('A card');
  await person.click(await within(sheet).findByRole('button', { name: 'Send and close' }));
  expect(await within(sheet).findByText('Enter an answer')).toBeTruthy();
  await person.type(within(sheet).getByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  await waitFor(
    () =>
      expect(sent).toEqual([
        {
          call: `POST messages/${id(6)}/answer`,
          body: { text: 'Not yet.', isDone: true, answersSeen: 0 },
          key: null,
        },
      ]),
    waitOptions,
  );
  cleanup();
  await enter('viewer', `?view=messages&message=${id(6)}`, other);
  expect(await screen.findByText('Do you have one?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send and close' })).toBeNull();
});

test('when a colleague has answered first, the refusal of a second answer is in view, also once the colleague’s answer is shown [SD-32]', async () => {
  const shown: string[] = [];
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(`${this.textContent} ${screen.queryByText('Tomorrow.')?.textContent}`);
  });
  const message = { ...letter, message: 'Do you have one?', answers: [] as object[] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: message,
    [`POST messages/${id(6)}/answer`]: {
      status: 409,
      code: 'CONFLICT',
      message: contactMessages.answeredBefore,
    },
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  await person.type(await within(sheet).findByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  other[`GET messages/${id(6)}`] = {
    ...message,
    answers: [{ _id: id(7), text: 'Tomorrow.', at, authorName: 'Tove Asklund' }],
  };
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  expect(await within(sheet).findByText('Tomorrow.')).toBeTruthy();
  await waitFor(() => expect(shown.at(-1)).toBe(`${contactMessages.answeredBefore} Tomorrow.`), waitOptions);
  scrolled.mockRestore();
});

test('the link to the customer asks before it discards a typed answer [SD-32]', async () => {
  const { address } = await enter('support', `?view=messages&message=${id(6)}`, {
    'GET messages': { ...page, messages: [{ ...letter, answers: 0 }], totalMessages: 1, forYou: 1 },
    [`GET messages/${id(6)}`]: {
      ...letter,
      message: 'Do you have one?',
      answers: [],
      customer: { _id: id(1), name: 'Jun Takeda' },
      isLoggedIn: true,
    },
  });
  const sheet = await dialog('A card');
  const field = await within(sheet).findByRole<HTMLTextAreaElement>('textbox', { name: /^Answer/ });
  await person.type(field, 'Not yet.');
  await person.click(within(sheet).getByRole('link', { name: 'Jun Takeda' }));
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Leave/ })).toBeNull(), waitOptions);
  expect(field.value).toBe('Not yet.');
  await person.click(within(sheet).getByRole('link', { name: 'Jun Takeda' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe(customer), waitOptions);
});

test('when a colleague closes a message first, the focus stays in its dialog, and nothing asks about the typed answer [SD-32]', async () => {
  const call = `GET messages/${id(6)}`;
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: { ...letter, message: 'Do you have one?', answers: [] },
    [`POST messages/${id(6)}/answer`]: { status: 409, code: 'CONFLICT', message: 'Already closed.' },
  };
  const { address } = await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  await person.type(await within(sheet).findByRole('textbox', { name: /^Answer/ }), 'Not yet.');
  other[call] = { ...letter, message: 'Do you have one?', answers: [], state: 'closed' };
  await person.click(within(sheet).getByRole('button', { name: 'Send and close' }));
  await waitFor(() => expect(within(sheet).queryByRole('textbox')).toBeNull(), waitOptions);
  expect(document.activeElement).toBe(sheet);
  await person.click(within(sheet).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(address.search).toBe('?view=messages'), waitOptions);
});

test('staff no longer read that the result of an answer is unknown once the message is shown as closed [A-68]', async () => {
  const call = `GET messages/${id(6)}`;
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: shown,
    [`POST messages/${id(6)}/close`]: new TypeError('Failed to fetch'),
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const close = await within(sheet).findByRole('button', { name: 'Close without an answer' });
  const reading = Promise.withResolvers<object>();
  other[call] = reading.promise;
  await person.click(close);
  const unknown = await within(sheet).findByText(/^We don’t know yet/);
  reading.resolve({ ...shown, state: 'closed' });
  await waitFor(() => expect(close.isConnected).toBe(false), waitOptions);
  expect(unknown.isConnected).toBe(false);
});

/** Sends the answer 'Not yet.' to a message and loses the reply. Resolving `reading` answers the next read of the message. */
async function sendUnheardAnswer() {
  const call = `GET messages/${id(6)}`;
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [call]: shown,
    [`POST messages/${id(6)}/answer`]: new TypeError('Failed to fetch'),
  };
  await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const field = await within(sheet).findByRole<HTMLTextAreaElement>('textbox', { name: /^Answer/ });
  await person.type(field, 'Not yet.');
  const reading = Promise.withResolvers<object>();
  other[call] = reading.promise;
  await person.click(within(sheet).getByRole('button', { name: 'Send answer' }));
  await within(sheet).findByText(/^We don’t know yet/);
  return { sheet, field, shown, reading };
}

test('if an answer to a message was sent but the reply was lost, staff read that it was sent, and the field is empty [A-68]', async () => {
  const { sheet, field, shown, reading } = await sendUnheardAnswer();
  reading.resolve({ ...shown, answers: [{ _id: id(8), at, authorName: 'Ida', text: 'Not yet.' }] });
  expect(await within(sheet).findByText('Answer sent')).toBeTruthy();
  expect(field.value).toBe('');
});

test.for([
  ['answered', 'Another answer was sent first. Read it before you send yours.'],
  ['closed', 'This message is closed. Open it again before you answer.'],
] as const)(
  'if a colleague %s a message first and the refusal of a second answer was lost, staff read why it was refused [A-66]',
  async ([act, refusal]) => {
    const { sheet, field, shown, reading } = await sendUnheardAnswer();
    const others = [{ _id: id(8), at, authorName: 'Tove', text: 'Yes, since May.' }];
    reading.resolve({ ...shown, ...(act === 'closed' ? { state: 'closed' } : { answers: others }) });
    expect(await within(sheet).findByText(refusal)).toBeTruthy();
    // A closed message has no field. The text comes back when it is opened again.
    if (act === 'answered') expect(field.value).toBe('Not yet.');
  },
);

test('if a colleague took a message first, its dialog says so and offers to take it over [SD-32]', async () => {
  const read = `GET messages/${id(6)}`;
  const take = `POST messages/${id(6)}/assign`;
  const message = 'This is now assigned to Tove Asklund. You can take it over.';
  const owner = { _id: 'other', name: 'Tove Asklund' };
  const shown = { ...letter, message: 'Do you have one?', answers: [] };
  const other: Record<string, unknown> = {
    'GET messages': { ...page, messages: [], totalMessages: 0, forYou: 0 },
    [read]: { ...shown, state: 'open' },
    [take]: { status: 409, code: 'CONFLICT', message, data: { owner } },
  };
  const { sent } = await enter('support', `?view=messages&message=${id(6)}`, other);
  const sheet = await dialog('A card');
  const assign = await within(sheet).findByRole('button', { name: 'Assign to me' });
  other[read] = { ...shown, state: 'assigned', owner };
  await person.click(assign);
  expect(await within(sheet).findByText(message)).toBeTruthy();
  delete other[take];
  await person.click(await within(sheet).findByRole('button', { name: 'Take over from Tove Asklund' }));
  await waitFor(
    () => expect(sent.map(({ body }) => body)).toEqual([null, { takenFrom: 'other' }]),
    waitOptions,
  );
});

const sender = { _id: id(1), name: 'Wilma Krol', isApproved: true };
const other = 'The applicant Wilma Krol was logged in. The name and email above may be someone else’s.';

test.each([
  [
    { isLoggedIn: false, isOwnEmail: false },
    /The sender was not logged in\./,
    'Sent without logging in',
    undefined,
  ],
  [{ isLoggedIn: true, isOwnEmail: true, customer: sender }, undefined, 'Sent while logged in', 'Customer'],
  [
    { isLoggedIn: true, isOwnEmail: false, customer: { ...sender, isApproved: false } },
    other,
    other,
    'Applicant',
  ],
])(
  'the list and the dialog of a message say whether its name and email may be someone else’s (%o) [SD-34]',
  async (sent, said, listed, kind) => {
    await enter('support', `?view=messages&message=${id(6)}`, {
      'GET messages': {
        ...page,
        messages: [{ ...letter, ...sent, answers: 0 }],
        totalMessages: 1,
        forYou: 1,
      },
      [`GET messages/${id(6)}`]: { ...letter, message: 'Do you have one?', answers: [], ...sent },
    });
    const sheet = await dialog('A card');
    expect(await within(sheet).findByText('Do you have one?')).toBeTruthy();
    if (said !== undefined) expect(within(sheet).getByText(said)).toBeTruthy();
    else expect(sheet.textContent).not.toMatch(/was not logged in|someone else’s/);
    expect(within(sheet).queryByText(/^(Customer|Applicant)$/)?.textContent).toBe(kind);
    expect(screen.getByRole('table', { hidden: true }).textContent).toContain(listed);
  },
);
