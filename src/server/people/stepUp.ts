/**
 * Step-ups: the customer confirms one act with a mailed code or another factor and gets a proof. The act uses up the proof in
 * its own transaction. The stored hash of a proof includes customer, session, act, amount and receiver, so the proof is valid
 * for nothing else. Times are by the database's clock.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { code as rule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import type {
  DecodedStepUpChallenge,
  StepUp,
  StepUpAct,
  StepUpMethod,
  StepUpRefusal,
} from '#contract/stepUp.ts';
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';
import type { Key } from '../base/keys.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import { isRecent, isRunning } from '../db/storedTimes.ts';
import { generateCode, hashCode, isCode, readCodeWaits } from './codes.ts';
import { mailboxTrustedFrom } from './factorTrust.ts';
import { recordFailedAttempt } from './failedAttempts.ts';
import { finishPasskeyCheck, type PasskeyContext, startPasskeyCheck } from './passkeys.ts';
import { checkTotp, listTrustedFactors, readWaitingFactor } from './secondFactors.ts';

/** The customer and the session that confirm an act and then do it. */
type Acting = { customerId: string; sessionId: string };
/** An act that a customer attempts, and the proof that came with the request. */
type Attempted = StepUp & { customer: Acting; proof: string | undefined };

const proofLifeSeconds = 300;
/** How long a challenge can be confirmed. This is longer than the life of a code, so that a second code can be requested. */
const challengeLifeSeconds = 900;
/** A challenge with less time left than this is not offered again for the same act. */
const reuseSeconds = 600;
/** How many wrong attempts a customer may make in `wrongWindowSeconds`, over all challenges. */
const maxWrong = 10;
const wrongWindowSeconds = 900;
/** Challenges that a customer can open in an hour. */
const maxChallengesPerHour = 200;

/** The hash of an act, which includes customer, session, kind, amount and receiver. */
function hashAct({ customerId, sessionId }: Acting, { act, amountCents, receiver = '' }: StepUp): string {
  const amount = amountCents === undefined ? null : String(amountCents);
  return fingerprint('act', customerId, sessionId, act, amount, receiver);
}

const digestProof = (proof: string, actHash: string) => fingerprint('proof', proof, actHash);

/** The hash that `post_group` looks up for a proof; undefined without a proof. */
export function hashProof(customer: Acting, stepUp: StepUp, proof: string | undefined): string | undefined {
  return proof === undefined ? undefined : digestProof(proof, hashAct(customer, stepUp));
}

/** The text that identifies the receiver at another bank in a step-up; `describeReceiver` reads it. */
export function externalReceiver(bank: {
  bankName: string;
  accountName: string;
  accountNumber: string;
}): string {
  return JSON.stringify([bank.bankName, bank.accountName, bank.accountNumber]);
}

/**
 * Uses up the proof of an act in the act's transaction. Refuses `STEP_UP_REQUIRED` if there is no valid proof. Then the server
 * opens a challenge for this act and sends the challenge with the refusal.
 */
export async function requireStepUp(tx: Tx, { customer, proof, ...stepUp }: Attempted): Promise<void> {
  const proofHash = hashProof(customer, stepUp, proof);
  if (proofHash !== undefined) {
    const used = await sql<{ ok: boolean }>`SELECT use_step_up_proof(${proofHash}) AS ok`.execute(tx);
    if (used.rows[0]!.ok) return;
  }
  throw new Refusal('STEP_UP_REQUIRED', { stepUp });
}

/** Whether the customer got the proof with a code from the app that used up the code of this time step. */
export async function usedUpStep(tx: Tx, { customer, proof, ...stepUp }: Attempted, step: number) {
  const found = await sql`
    SELECT FROM step_ups
     WHERE proof_hash = ${hashProof(customer, stepUp, proof) ?? null} AND app_steps @> ${step}::bigint`.execute(
    tx,
  );
  return found.rows.length > 0;
}

/**
 * Whether sending this amount needs a step-up, because it is at least `bankFromCents` (undefined: never) or at least the
 * customer's own limit. Not used for transfers, which the posting function checks itself.
 */
export async function needsStepUp(
  tx: Tx,
  accountId: bigint,
  amountCents: bigint,
  bankFromCents: bigint | undefined,
): Promise<boolean> {
  const found = await sql<{ needed: boolean }>`
    SELECT coalesce(${amountCents}::bigint >= least(${bankFromCents ?? null}::bigint, step_up_from), false) AS needed
      FROM ledger_accounts WHERE id = ${accountId} FOR SHARE`.execute(tx);
  return found.rows[0]?.needed === true;
}

const lastSentAt = sql`codes_sent_at[cardinality(codes_sent_at)]`;
/** Whether the last code of a challenge still works. It expires like a login code. */
const hasLiveCode = isRecent(lastSentAt, rule.lifeSeconds);

/** Opens the challenge of an act, or returns the one that is open. Refuses `TOO_MANY` after `maxChallengesPerHour`. */
export async function openChallenge(
  database: Database,
  customer: Acting,
  stepUp: StepUp,
): Promise<DecodedStepUpChallenge> {
  const { customerId, sessionId } = customer;
  const actHash = hashAct(customer, stepUp);
  return await database.inTransaction(async tx => {
    await lockCustomerRow(tx, customerId);
    const open = await sql<{ id: string; expiresAt: Date; codeAge: number | null }>`
      SELECT id, expires_at AS "expiresAt", CASE WHEN ${hasLiveCode}
             THEN extract(epoch FROM clock_timestamp() - ${lastSentAt})::float8 END AS "codeAge"
        FROM step_ups
       WHERE customer_id = ${customerId} AND act_hash = ${actHash} AND proof_hash IS NULL AND voided_at IS NULL
         AND attempts < ${rule.maxAttempts} AND expires_at > now() + make_interval(secs => ${reuseSeconds})
         AND ${isRecent(sql`created_at`, challengeLifeSeconds)}
       ORDER BY created_at DESC LIMIT 1`.execute(tx);
    const ways = {
      ...(await readStepUpMethods(tx, customerId, stepUp.act)),
      ...(await readWaitingFactor(tx, customerId)),
    };
    const found = open.rows[0];
    if (found) {
      const { id, expiresAt, codeAge } = found;
      return { _id: id, expiresAt, ...(codeAge !== null && { codeAge }), ...ways };
    }
    const counted = await sql<{ opened: bigint }>`
      SELECT count(*) AS opened FROM step_ups
       WHERE customer_id = ${customerId} AND ${isRecent(sql`created_at`, 3_600)}`.execute(tx);
    if (counted.rows[0]!.opened >= maxChallengesPerHour) throw new Refusal('TOO_MANY', { waitTime: 600 });
    const id = newId();
    const made = await sql<{ expiresAt: Date }>`
      INSERT INTO step_ups (id, customer_id, session_id, act, amount, receiver, act_hash, expires_at)
      VALUES (${id}, ${customerId}, ${sessionId}, ${stepUp.act}, ${stepUp.amountCents ?? null}, ${stepUp.receiver ?? ''},
              ${actHash}, now() + make_interval(secs => ${challengeLifeSeconds}))
      RETURNING expires_at AS "expiresAt"`.execute(tx);
    return { _id: id, expiresAt: made.rows[0]!.expiresAt, ...ways };
  });
}

/**
 * The ways in which a customer can confirm an act now, the strongest first. A factor that was added recently may not be trusted
 * yet (`factorTrust.ts`). Customers with a trusted app can use a mailed code only to remove a factor: removing the app asks for
 * a code from the app as well. For 24 hours after a password reset by mail, or after staff changed the email, no code is
 * mailed: the person may control only the mailbox. `emailFrom`: when those 24 hours end.
 */
async function readStepUpMethods(
  reader: Reader,
  customerId: string,
  act: StepUpAct,
): Promise<{ methods: StepUpMethod[]; emailFrom?: Date }> {
  const own = await listTrustedFactors(reader, customerId);
  if (own.includes('totp') && act !== 'remove-factor') return { methods: own };
  const found = await sql<{ emailFrom: Date | null }>`
    SELECT ${mailboxTrustedFrom(customerId)} AS "emailFrom"`.execute(reader);
  const { emailFrom } = found.rows[0]!;
  return emailFrom ? { methods: own, emailFrom } : { methods: [...own, 'email'] };
}

/** Serializes a customer's challenges, codes and attempts. */
async function lockCustomerRow(tx: Tx, customerId: string): Promise<void> {
  await sql`SELECT FROM credentials WHERE person_id = ${customerId} FOR UPDATE`.execute(tx);
}

/** `isCodeLive`: the mailed code has not expired. A challenge's code expires like a login code. */
type OpenChallenge = {
  act: StepUpAct;
  actHash: string;
  codeHash: Buffer | null;
  isCodeLive: boolean;
  attempts: number;
};

/**
 * The open challenge with this id. Refuses `NOT_FOUND` if this customer and session have none with this id, and `CONFLICT` if
 * it was confirmed or voided, has expired, or has no attempts left. The answer with the proof may have been lost. So until
 * the act is done, a confirmed challenge can be confirmed again: by a passkey, or by the mailed code that confirmed it, until
 * the code expires. `method`: the one that is used now.
 */
async function findOpenChallenge(
  tx: Tx,
  { customerId, sessionId }: Acting,
  id: string,
  method?: StepUpMethod,
): Promise<OpenChallenge> {
  const found = await sql<OpenChallenge & { isOpen: boolean; isConfirmed: boolean }>`
    SELECT proof_hash IS NOT NULL AS "isConfirmed", act, act_hash AS "actHash", attempts, code_hash AS "codeHash",
           coalesce(${hasLiveCode}, false) AS "isCodeLive",
           (proof_hash IS NULL OR (used_at IS NULL AND
             (${method === 'passkey'} OR (${method === 'email'} AND code_hash IS NOT NULL AND ${hasLiveCode}))))
             AND voided_at IS NULL AND ${isRunning(sql`expires_at`, challengeLifeSeconds)}
             AND attempts < ${rule.maxAttempts} AS "isOpen"
      FROM step_ups WHERE id = ${id} AND customer_id = ${customerId} AND session_id = ${sessionId}`.execute(
    tx,
  );
  const challenge = found.rows[0];
  if (!challenge) throw new Refusal('NOT_FOUND');
  if (!challenge.isOpen)
    throw overRefusal(
      challenge.isConfirmed
        ? stepUpMessages.confirmedBefore
        : challenge.attempts < rule.maxAttempts
          ? stepUpMessages.gone
          : stepUpMessages.usedUp,
    );
  return challenge;
}

/** The refusal of a challenge that can no longer be confirmed. */
export const overRefusal = (message: string): Refusal =>
  new Refusal('CONFLICT', { message, data: { isOver: true } satisfies StepUpRefusal });

/**
 * Issues a code for an open challenge; the caller mails it. Refuses `CONFLICT` if the act cannot be confirmed by mail now, and
 * `TOO_MANY` within the cooldown or at the hourly limit. The message says if the customer's last code is for another act.
 */
export async function issueStepUpCode(tx: Tx, codeKey: Key, customer: Acting, id: string): Promise<string> {
  await lockCustomerRow(tx, customer.customerId);
  const { act, actHash, isCodeLive } = await findOpenChallenge(tx, customer, id);
  const { methods } = await readStepUpMethods(tx, customer.customerId, act);
  if (!methods.includes('email')) throw new Refusal('CONFLICT', { message: stepUpMessages.notByEmail });
  const sent = sql`
    SELECT t FROM step_ups, unnest(codes_sent_at) AS t
     WHERE customer_id = ${customer.customerId} AND created_at > now() - interval '2 hours'`;
  const { cooldown, hour } = await readCodeWaits(tx, sent, rule.maxPerHour);
  if (hour > 0) throw new Refusal('TOO_MANY', { message: authMessages.codeTooMany, waitTime: hour });
  if (cooldown > 0) {
    const more = isCodeLive
      ? { message: authMessages.codeTooSoon, data: { isMailed: true } satisfies StepUpRefusal }
      : { message: await whyNoCode(tx, customer.customerId, actHash) };
    throw new Refusal('TOO_MANY', { ...more, waitTime: cooldown });
  }
  const digits = generateCode();
  await sql`
    UPDATE step_ups SET code_hash = ${hashCode(codeKey, id, digits)}, codes_sent_at = codes_sent_at || clock_timestamp()
     WHERE id = ${id}`.execute(tx);
  return digits;
}

/** Why the customer's last code cannot confirm this act: the code has confirmed the act before, or it is for another act. */
async function whyNoCode(tx: Tx, customerId: string, actHash: string): Promise<string> {
  const last = await sql<{ isUsed: boolean }>`
    SELECT act_hash = ${actHash} AND proof_hash IS NOT NULL AS "isUsed" FROM step_ups
     WHERE customer_id = ${customerId} AND created_at > now() - interval '2 hours' AND cardinality(codes_sent_at) > 0
     ORDER BY ${lastSentAt} DESC LIMIT 1`.execute(tx);
  return last.rows[0]?.isUsed ? stepUpMessages.codeUsed : stepUpMessages.codeForOther;
}

const passkeyCheck = ({ customerId }: Acting, id: string) =>
  ({ personId: customerId, purpose: `step-up ${id}`, onlyTrusted: true }) as const;

/** Options with which a browser confirms this challenge with a passkey. */
export async function startStepUpPasskey(
  tx: Tx,
  context: PasskeyContext,
  customer: Acting,
  id: string,
): Promise<CeremonyOptions> {
  await findOpenChallenge(tx, customer, id, 'passkey');
  return await startPasskeyCheck(tx, context, passkeyCheck(customer, id));
}

/** What a customer sends to confirm a challenge: a code or a passkey's credential, as the method says. */
type Confirmation = {
  id: string;
  method: StepUpMethod;
  code?: string | undefined;
  credential?: Credential | undefined;
};

/**
 * The outcome of an attempt. The caller commits in every case: the transaction counts the attempt. `expired`: no mailed code is
 * live, whatever was typed. This tells a guesser nothing, because the session itself had the code mailed. `used-up`: this wrong
 * attempt was the challenge's last.
 */
export type StepUpAnswer = { proof: string } | { refused: 'wrong' | 'expired' | 'used-up' };

/**
 * Confirms an open challenge. The attempt is counted before the code is compared, under a lock. An attempt while no mailed code
 * is live is not counted, because nothing is compared. The audit log limits how many it records. Refuses `CONFLICT` if the
 * method is not offered now, and `TOO_MANY` after too many wrong attempts at all challenges of the customer together.
 */
export async function confirmStepUp(
  tx: Tx,
  context: PasskeyContext,
  customer: Acting & { address: string },
  { id, method, code = '', credential }: Confirmation,
): Promise<StepUpAnswer> {
  const { customerId, address } = customer;
  const { codeKey } = context.secrets;
  await lockCustomerRow(tx, customerId);
  const challenge = await findOpenChallenge(tx, customer, id, method);
  const wrong = await sql<{ attempts: number; wait: number }>`
    SELECT coalesce(sum(attempts), 0)::int AS attempts,
           coalesce(ceil(extract(epoch FROM min(created_at) + make_interval(secs => ${wrongWindowSeconds}) - now())), 1)::float8 AS wait
      FROM step_ups WHERE customer_id = ${customerId} AND proof_hash IS NULL AND attempts > 0
       AND ${isRecent(sql`created_at`, wrongWindowSeconds)}`.execute(tx);
  if (wrong.rows[0]!.attempts >= maxWrong)
    throw new Refusal('TOO_MANY', { waitTime: Math.max(1, wrong.rows[0]!.wait) });
  const { methods } = await readStepUpMethods(tx, customerId, challenge.act);
  if (!methods.includes(method)) throw new Refusal('CONFLICT', { message: stepUpMessages.notOffered });
  const refuse = async (reason: string) =>
    await recordFailedAttempt(tx, {
      kind: 'customer',
      personId: customerId,
      action: 'step-up.failed',
      address,
      reason,
    });
  if (method === 'email' && challenge.codeHash !== null && !challenge.isCodeLive) {
    await refuse('no-code');
    return { refused: 'expired' };
  }
  await sql`UPDATE step_ups SET attempts = attempts + 1 WHERE id = ${id}`.execute(tx);
  const usedUp = method === 'totp' ? await checkTotp(tx, context.keys, customerId, code) : undefined;
  const isRight =
    method === 'email'
      ? challenge.codeHash !== null && isCode(codeKey, id, code, challenge.codeHash)
      : method === 'totp'
        ? usedUp !== undefined
        : credential !== undefined &&
          (await finishPasskeyCheck(tx, context, passkeyCheck(customer, id), credential));
  if (!isRight) {
    await refuse('wrong-code');
    return { refused: challenge.attempts + 1 < rule.maxAttempts ? 'wrong' : 'used-up' };
  }
  const proof = randomBytes(32).toString('base64url');
  const confirmed = await sql`
    UPDATE step_ups SET proof_hash = ${digestProof(proof, challenge.actHash)},
           code_hash = CASE WHEN ${method} = 'email' THEN code_hash END,
           app_steps = int8range(${usedUp?.after ?? 0n}, ${usedUp?.last ?? 0n}, '(]'),
           proof_expires_at = now() + make_interval(secs => ${proofLifeSeconds})
     WHERE id = ${id} AND used_at IS NULL RETURNING id`.execute(tx);
  // The act used up an earlier proof in the meantime.
  if (confirmed.rows.length === 0) throw overRefusal(stepUpMessages.confirmedBefore);
  await recordAudit(tx, {
    actor: { kind: 'customer', id: customerId },
    action: 'step-up.confirmed',
    subject: customerId,
    address,
    data: { method },
  });
  return { proof };
}

/** Voids all challenges and proofs of a customer. After a freeze or a new password, acts must be confirmed again. */
export async function voidStepUps(tx: Tx, customerId: string): Promise<void> {
  await sql`
    UPDATE step_ups SET voided_at = now()
     WHERE customer_id = ${customerId} AND used_at IS NULL AND voided_at IS NULL
       AND created_at > now() - interval '1 hour'`.execute(tx);
}

/** What a challenge confirms, for the mail with its code; undefined if it was deleted. `receiver` has the current name. */
export async function readStepUp(
  reader: Reader,
  id: string,
): Promise<{ act: StepUpAct; amountCents: bigint | null; receiver: string } | undefined> {
  const found = await sql<{
    act: StepUpAct;
    amountCents: bigint | null;
    receiver: string;
    holder: string | null;
  }>`
    SELECT s.act, s.amount AS "amountCents", s.receiver, concat_ws(' ', c.first_name, c.last_name) AS holder
      FROM step_ups s
      LEFT JOIN ledger_accounts a ON s.act = 'transfer' AND a.number = s.receiver
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
     WHERE s.id = ${id}`.execute(reader);
  const row = found.rows[0];
  if (!row) return undefined;
  const { act, amountCents } = row;
  return { act, amountCents, receiver: describeReceiver(act, row.receiver, row.holder) };
}

/** Describes a receiver for people: `Amara Lindqvist, account ending in 1234`. */
function describeReceiver(act: StepUpAct, receiver: string, holder: string | null): string {
  if (act === 'external-transfer') {
    const [bankName, accountName, accountNumber] = JSON.parse(receiver) as [string, string, string];
    return `${accountName}, ${bankName}, account ending in ${accountNumber.slice(-4)}`;
  }
  if (act === 'transfer') return `${holder || 'a Larkspur account'}, account ending in ${receiver.slice(-4)}`;
  return receiver;
}
