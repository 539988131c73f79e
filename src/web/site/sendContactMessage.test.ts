/** What the contact form sends, with and without a session in this browser. */
import { afterEach, expect, test, vi } from 'vitest';
import { sendContactMessage } from './sendContactMessage.ts';

afterEach(() => vi.unstubAllGlobals());

/** Sends a message and returns the headers of the request. */
async function sentHeaders(): Promise<Record<string, string>> {
  const sent = vi.fn(
    async (..._request: [string, { headers: Record<string, string> }]) => new Response('{}'),
  );
  vi.stubGlobal('fetch', sent);
  await sendContactMessage({ name: 'Nora', email: 'nora@mail.example', subject: 'A fee', message: 'Why?' });
  return sent.mock.calls[0]![1].headers;
}

function logIn(seconds: number): string {
  const token = `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + seconds }))}.x`;
  const user = {
    _id: '1',
    firstName: 'Nora',
    lastName: 'Quist',
    email: 'nora@mail.example',
    avatar: { url: '' },
  };
  localStorage.setItem('user', JSON.stringify({ ...user, accountNumber: '1', isApproved: true, token }));
  return token;
}

test('a message is sent with the token of a live session, and without one if there is none [SD-34]', async () => {
  expect(await sentHeaders()).not.toHaveProperty('authorization');
  const token = logIn(60);
  expect(await sentHeaders()).toMatchObject({ authorization: `Bearer ${token}` });
  logIn(-60);
  expect(await sentHeaders()).not.toHaveProperty('authorization');
});
