/** Registering a customer: pictures, password and account, all or nothing. */
import type { Registration } from '#contract/auth.ts';
import { newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Upload } from '../http/uploads.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { openAccount } from '../ledger/accounts.ts';
import { encodeAvatar, encodeIdCard } from '../outside/images.ts';
import type { Parts } from '../parts.ts';
import { emailTaken, insertCustomer } from '../people/customers.ts';
import { findPerson } from '../people/passwordAttempt.ts';
import { hashPassword } from '../people/passwords.ts';
import { type NewPicture, storePictures } from './storedPictures.ts';

type RegisterParts = Pick<Parts, 'database' | 'secrets' | 'files'>;

/** What the form sent; `address` is where it came from. */
export type RegistrationRequest = {
  form: Registration;
  avatar: Upload;
  idCard: Upload | undefined;
  address: string;
};

/** Registers and gives the new customer's id. Refuses `CONFLICT`, `UNSUPPORTED_TYPE` or `BUSY`; then nothing is left. */
export async function registerCustomer(parts: RegisterParts, request: RegistrationRequest): Promise<string> {
  const { password, ...form } = request.form;
  // The index decides; asking first only spares the work.
  if (await findPerson(parts, 'customer', form.email)) throw emailTaken();
  const avatar = await encodeAvatar(request.avatar.bytes);
  const idCard = request.idCard && (await encodeIdCard(request.idCard.bytes));
  const id = newId();
  const passwordHash = await hashPassword(parts.secrets, 'customer', id, password);

  const pictures: NewPicture[] = [
    { bytes: avatar, kind: 'avatar' },
    ...(idCard ? [{ bytes: idCard, kind: 'id-card' as const }] : []),
  ];
  await storePictures(parts, pictures, ([avatarFile, idCardFile]) =>
    parts.database.inTransaction(async tx => {
      const { accountId } = await openAccount(tx);
      await insertCustomer(tx, { ...form, id, accountId, passwordHash, avatarFile, idCardFile });
      await recordAudit(tx, {
        actor: { kind: 'customer', id },
        action: 'customer.registered',
        subject: id,
        address: request.address,
      });
      await enqueueJob(tx, 'mail', { template: 'registered', personId: id });
    }),
  );
  return id;
}
