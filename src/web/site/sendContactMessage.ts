/** Posts a contact message with a plain fetch: public pages don't load the API client. */
import { contact } from '#contract/constants.ts';
import type { contactApi } from '#contract/contact.ts';
import type { Call } from '#contract/endpoint.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { errorMessage, fieldErrors, readAnswer } from '#web/base/callError.ts';
import { readStored } from '#web/base/sessionStorage.ts';

type SendMessage = (typeof contactApi)['sendMessage'];
export type Letter = Call<SendMessage>['body'];

const path = '/api/v1/contact' satisfies SendMessage['path'];
const answerWithinMs = 20 * contact.sendDelayMs;

/** Why a message was not sent: a sentence for the sender, and the server's messages for its fields. */
export type NotSent = { why: string; errors: Partial<Letter> };

/**
 * Resolves with undefined once the server has stored the message, or with why it was not sent, but not before the time that the
 * specification says. Never rejects.
 */
export async function sendContactMessage(letter: Letter): Promise<NotSent | undefined> {
  const pause = new Promise(done => setTimeout(done, contact.sendDelayMs));
  const notSent = await post(letter);
  await pause;
  return notSent;
}

async function post(letter: Letter): Promise<NotSent | undefined> {
  const token = readStored('user')?.token;
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        // Proves to the Help Desk that a customer who is logged in wrote the message.
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(letter),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const read = readAnswer(answer.status, await answer.text());
    if (!('error' in read)) return undefined;
    return { why: errorMessage(read.error, errorMessages.fault), errors: fieldErrors(read.error) };
  } catch {
    return { why: errorMessages.network, errors: {} };
  }
}
