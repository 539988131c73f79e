/** Confirms a step-up as a customer does: requests the mailed code and exchanges it for the proof. */
import { stepUpApi } from '#contract/stepUp.ts';
import type { TestBank, TestCustomer } from './server.ts';
import { eventually } from './waiting.ts';

type Confirming = Pick<TestCustomer, 'email' | 'token'>;

/** Requests the code of a challenge, and reads it in the mail. */
export async function stepUpCode(bank: TestBank, { email, token }: Confirming, id: string): Promise<string> {
  const mails = () =>
    bank.bank.parts.inbox!.list(email).filter(mail => mail.subject === 'Your code to confirm');
  const before = mails().length;
  const sent = await bank.call(stepUpApi.sendStepUpCode, { token, params: { id } });
  if (sent.status !== 200) throw new Error(`no code was sent: ${JSON.stringify(sent.body)}`);
  const mail = await eventually(() => (mails().length > before ? mails()[0] : undefined));
  return /\b(\d{6})\b/.exec(mail.text)![1]!;
}

export async function stepUpProof(bank: TestBank, customer: Confirming, id: string): Promise<string> {
  const code = await stepUpCode(bank, customer, id);
  const body = { method: 'email', code };
  const answer = await bank.call(stepUpApi.verifyStepUp, { token: customer.token, params: { id }, body });
  if (answer.status !== 200) throw new Error(`the code was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.proof;
}
