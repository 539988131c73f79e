/** Posts a contact message with a plain fetch: public pages don't load the API client. */
import { contact } from '#contract/constants.ts';
import type { contactApi } from '#contract/contact.ts';
import type { Call } from '#contract/endpoint.ts';
import { readAnswer, unanswered } from '#web/base/callError.ts';
import { readStored } from '#web/base/sessionStorage.ts';

type SendMessage = (typeof contactApi)['sendMessage'];
export type Letter = Call<SendMessage>['body'];

const path = '/api/v1/contact' satisfies SendMessage['path'];
const answerWithinMs = 20 * contact.sendDelayMs;

/** Resolves with the server's answer, or with an error whose message can be shown; never rejects. */
export async function sendContactMessage(letter: Letter): Promise<ReturnType<typeof readAnswer>> {
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
    return readAnswer(answer.status, await answer.text());
  } catch {
    return { error: unanswered('NETWORK') };
  }
}
