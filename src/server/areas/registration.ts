/** Registers a customer: pictures, password and account, all or nothing. */
import type { Registration } from '#contract/auth.ts';
import { Refusal } from '#contract/errors.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { limitConcurrency } from '../base/concurrency.ts';
import type { RateLimit } from '../base/rateLimit.ts';
import { newId } from '../base/uuid.ts';
import type { Upload } from '../http/uploads.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { openAccount } from '../ledger/accounts.ts';
import { encodeAvatar, encodeIdCard } from '../outside/images.ts';
import type { Parts } from '../parts.ts';
import { emailTaken, insertCustomer } from '../people/customers.ts';
import { findPerson } from '../people/passwordAttempt.ts';
import { byVisitor, hashPassword } from '../people/passwords.ts';
import { countLookups, refuseTooManyNames } from '../people/sanctionsList.ts';
import { screenCustomer } from '../people/screening.ts';
import { recordCustomerAct } from './recordAct.ts';
import { type NewPicture, storePictures } from './storedPictures.ts';

type RegisterParts = Pick<Parts, 'database' | 'secrets' | 'files'>;

/** A name is long if it needs more lookups in the sanctions list than this. Five words need at least eleven. */
const usualLookups = 10;
/**
 * The lookups of a long name take the database seconds. They run for one name at a time, so that visitors cannot keep the
 * database busy.
 */
const withLongName = limitConcurrency({ maxRunning: 1, maxWaiting: 8, waitTime: 5 });
/**
 * A registration is refused if the bank has not begun to open its account within this time. Without this limit, the client's
 * connection could time out first: the client would be told that the bank is busy, and the account would be opened anyway.
 */
const maxWaitMs = 12_000;

/**
 * The submitted form. `address`: the IP address of the request. `pictureBytes`: counts the bytes that each network stores, if
 * they are limited.
 */
export type RegistrationRequest = {
  form: Registration;
  avatar: Upload;
  idCard: Upload | undefined;
  address: string;
  pictureBytes?: RateLimit | undefined;
};

/** If a picture is refused, names its field in the refusal, because a form can have two pictures. */
async function namingField(field: 'avatar' | 'idCard', encoding: Promise<Buffer>): Promise<Buffer> {
  try {
    return await encoding;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UNSUPPORTED_TYPE') throw error;
    const { code, message } = error;
    throw new Refusal(code, { message, errors: [{ field, message }], cause: error });
  }
}

/**
 * Registers a customer and returns the id. Refuses `VALIDATION` if the name has too many words, `CONFLICT` if the email is
 * taken, `UNSUPPORTED_TYPE` if a picture cannot be read, `TOO_MANY` if this network has stored too many bytes of pictures, and
 * `BUSY` if the bank is overloaded. After any of these, no customer is stored. Also refuses `BUSY` if the connection to the
 * database broke: then the customer may have been stored.
 */
export async function registerCustomer(parts: RegisterParts, request: RegistrationRequest): Promise<string> {
  const startedAt = performance.now();
  const { password, ...form } = request.form;
  refuseTooManyNames(form, 'firstName');
  // The unique index decides; this check only avoids unnecessary work.
  if (await findPerson(parts, 'customer', form.email)) throw emailTaken();
  const source = { group: networkGroup(request.address) };
  request.pictureBytes?.check(source.group);
  const avatar = await namingField('avatar', encodeAvatar(request.avatar.bytes, source));
  const idCard = request.idCard && (await namingField('idCard', encodeIdCard(request.idCard.bytes, source)));
  const id = newId();
  const hashing = byVisitor(request.address);
  const passwordHash = await hashPassword(parts.secrets, 'customer', id, password, hashing);

  const pictures: NewPicture[] = [
    { bytes: avatar, kind: 'avatar' },
    ...(idCard ? [{ bytes: idCard, kind: 'id-card' as const }] : []),
  ];
  const refuseLate = () => {
    if (performance.now() - startedAt > maxWaitMs) throw new Refusal('BUSY', { waitTime: 5 });
  };
  const store = async () => {
    refuseLate();
    await storePictures(parts, { personId: id, pictures }, ([avatarFile, idCardFile]) => {
      // Counted now, because a registration that is refused as busy after this leaves its pictures until the clean-up.
      request.pictureBytes?.count(source.group, avatar.length + (idCard?.length ?? 0));
      // The file store may have been too slow. The clean-up removes the pictures of a registration that is refused here.
      refuseLate();
      return parts.database.inTransaction(async tx => {
        const { accountId } = await openAccount(tx);
        await insertCustomer(tx, { ...form, id, accountId, passwordHash, avatarFile, idCardFile });
        await recordCustomerAct(
          tx,
          { customer: { customerId: id }, address: request.address },
          'customer.registered',
        );
        await screenCustomer(tx, id);
        await enqueueJob(tx, 'mail', { template: 'registered', personId: id });
      });
    });
  };
  await (countLookups(form) > usualLookups ? withLongName(store, source) : store());
  return id;
}
