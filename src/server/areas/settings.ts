/**
 * Handlers of the settings area. The transaction of a change audits the change and notifies the customer. A new profile
 * picture and the end of a session are only audited.
 */
import { Refusal } from '#contract/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import type { settingsApi } from '#contract/settings.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { encodeAvatar, encodeIdCard } from '../outside/images.ts';
import type { Parts } from '../parts.ts';
import { voidCodes } from '../people/codes.ts';
import {
  changeContact,
  changeIdentity,
  readIdentity,
  readOwnPictures,
  replaceAvatar,
  replaceIdCard,
} from '../people/customers.ts';
import { removeOtherDevices } from '../people/knownDevices.ts';
import { attemptPassword, replacePassword, samePassword } from '../people/passwordAttempt.ts';
import { bySession, hashPassword } from '../people/passwords.ts';
import { avatarAt, ownIdCardAt } from '../people/pictures.ts';
import { keepReplacedIdentity } from '../people/retention.ts';
import { reopenCleared } from '../people/screening.ts';
import { endSession, listSessions, lockSession, revokeSession, revokeSessions } from '../people/sessions.ts';
import { voidStepUps } from '../people/stepUp.ts';
import { closeCustomer } from './closing.ts';
import { mailLoginLocked } from './openLogin.ts';
import { announceOwn, recordCustomerAct } from './recordAct.ts';
import { type NewPicture, removePictures, storePictures } from './storedPictures.ts';

type SettingsParts = Pick<Parts, 'database' | 'secrets' | 'files' | 'keys' | 'config'>;
type Own = Pick<Request<typeof settingsApi.listSessions>, 'customer' | 'address'>;
type OwnInBrowser = Own & Pick<Request<typeof settingsApi.changePassword>, 'browser'>;

const ownPicture = ({ customerId }: Own['customer'], picture: NewPicture) => ({
  personId: customerId,
  pictures: [picture],
});

/**
 * The source of a call that encodes a customer's picture. The call is trusted, so that visitors' pictures delay it only a
 * little. The group is the network, not the customer, because one person can register any number of accounts.
 */
const sourceOf = (address: string) => ({ group: networkGroup(address), isTrusted: true });

export function settingsHandlers(parts: SettingsParts): Handlers<typeof settingsApi> {
  const { database, files } = parts;

  /** Checks the customer's own password, typed again. Returns undefined if it is wrong or the login is locked. */
  const tryOwnPassword = ({ customer, address, browser }: OwnInBrowser, password: string) =>
    attemptPassword(
      parts,
      {
        kind: 'customer',
        who: { personId: customer.customerId, sessionId: customer.sessionId },
        password,
        address,
        browser,
      },
      mailLoginLocked,
    );

  return {
    async changePassword({ body: { currentPassword, newPassword }, customer, address, browser }) {
      const { customerId, sessionId } = customer;
      const recognized = await tryOwnPassword({ customer, address, browser }, currentPassword);
      if (!recognized) throw new Refusal('BAD_PASSWORD');
      if (newPassword === currentPassword) throw samePassword();
      const hashing = bySession('customer', address);
      const passwordHash = await hashPassword(parts.secrets, 'customer', customerId, newPassword, hashing);
      await database.inTransaction(async tx => {
        // If the password was changed in the meantime, the typed password is wrong.
        if (!(await replacePassword(tx, customerId, passwordHash, recognized.passwordHash)))
          throw new Refusal('BAD_PASSWORD');
        // If this session ended while we waited, it must not end the others.
        if (!(await lockSession(tx, customerId, sessionId))) throw new Refusal('NOT_AUTHORIZED');
        await voidCodes(tx, customerId);
        await voidStepUps(tx, customerId);
        await removeOtherDevices(tx, customerId, browser);
        await revokeSessions(tx, customerId, { sessionId });
        await announceOwn(tx, customer, 'password-changed');
        await recordCustomerAct(tx, { customer, address }, 'password.changed');
      });
    },

    async updateContact({ body, customer, address }) {
      const { customerId } = customer;
      await database.inTransaction(async tx => {
        if (!(await changeContact(tx, customerId, body))) return;
        await announceOwn(tx, customer, 'contact-changed');
        await recordCustomerAct(tx, { customer, address }, 'contact.changed');
      });
    },

    async identity({ customer }) {
      const data = await readIdentity(database.reader, customer.customerId);
      if (!data) throw new Refusal('NOT_AUTHORIZED');
      return { data };
    },

    async updateIdentity({ body, customer, address }) {
      await database.inTransaction(async tx => {
        const fields = await changeIdentity(tx, customer.customerId, body);
        if (fields.length === 0) return;
        if (fields.includes('dateOfBirth')) await reopenCleared(tx, customer.customerId);
        await notifyOfOwnAct(tx, customer.accountId, 'identity-changed');
        await recordCustomerAct(tx, { customer, address }, 'identity.changed', { fields });
      });
    },

    async deleteAccount({ body: { password }, customer, address, browser }) {
      const { customerId, sessionId } = customer;
      const recognized = await tryOwnPassword({ customer, address, browser }, password);
      if (!recognized) throw new Refusal('BAD_PASSWORD', { message: settingsMessages.wrongPassword });
      await closeCustomer(parts, { customerId, closer: { owner: recognized, sessionId }, address });
    },

    async ownIdCard({ customer }) {
      const name = (await readOwnPictures(database.reader, customer.customerId))?.idCardFile;
      const picture = name == null ? undefined : await files.read(name);
      if (!picture) throw new Refusal('NOT_FOUND');
      return { picture };
    },

    async uploadAvatar({ files: { avatar }, customer, address }) {
      const bytes = await encodeAvatar(avatar.bytes, sourceOf(address));
      return await storePictures(parts, ownPicture(customer, { bytes, kind: 'avatar' }), async names => {
        const [file] = names as [string];
        const former = await database.inTransaction(async tx => {
          const replaced = await replaceAvatar(tx, customer.customerId, file);
          await recordCustomerAct(tx, { customer, address }, 'avatar.changed');
          return replaced;
        });
        if (former !== null) await removePictures(parts, [former]);
        return { data: { avatar: avatarAt(file) } };
      });
    },

    async uploadIdCard({ files: { avatar: document }, customer, address }) {
      const { customerId } = customer;
      const bytes = await encodeIdCard(document.bytes, sourceOf(address));
      return await storePictures(parts, ownPicture(customer, { bytes, kind: 'id-card' }), async names => {
        const [file] = names as [string];
        const former = await database.inTransaction(async tx => {
          await keepReplacedIdentity(tx, parts, customerId);
          const replaced = await replaceIdCard(tx, customerId, file);
          await announceOwn(tx, customer, 'id-received');
          await recordCustomerAct(tx, { customer, address }, 'id-card.received', { file });
          return replaced;
        });
        if (former !== null) await removePictures(parts, [former]);
        return { data: { idCard: ownIdCardAt(file) } };
      });
    },

    async listSessions({ customer: { customerId, sessionId } }) {
      return { data: { sessions: await listSessions(database.reader, customerId, sessionId) } };
    },

    async endSession({ params: { id }, customer, address }) {
      await database.inTransaction(async tx => {
        const isOwn = id === customer.sessionId;
        const ended = isOwn
          ? (await endSession(tx, id)) && { devices: 0 }
          : await revokeSession(tx, customer.customerId, id);
        if (!ended) throw new Refusal('NOT_FOUND');
        if (ended.devices > 0) await announceOwn(tx, customer, 'push-removed');
        await recordCustomerAct(tx, { customer, address }, isOwn ? 'logout' : 'session.ended', {
          session: id,
        });
      });
    },

    async endOtherSessions({ customer, address }) {
      await database.inTransaction(async tx => {
        // A login or reset in progress goes on: this session could be a thief's, and the other person the owner.
        const { customerId, sessionId } = customer;
        const { count, devices } = await revokeSessions(tx, customerId, { sessionId });
        if (devices > 0) await announceOwn(tx, customer, 'push-removed');
        if (count + devices > 0)
          await recordCustomerAct(tx, { customer, address }, 'sessions.ended', { count });
      });
    },
  };
}
