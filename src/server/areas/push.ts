/**
 * Handlers of the push area. Each change is audited in the transaction that makes it. The customer is also notified and mailed
 * when a device is added, muted or removed: a thief would mute the owner's phone first.
 */
import { Refusal } from '#contract/errors.ts';
import * as pushMessages from '#contract/messages/push.ts';
import type { pushApi } from '#contract/push.ts';
import { recordAudit } from '../db/audit.ts';
import { notify } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { nameDevice } from '../people/device.ts';
import { deletePushDevice, readPushDevices, savePushDevice } from '../people/pushDevices.ts';
import { announceOwn, recordCustomerAct } from './recordAct.ts';

/** A `%` without two digits, which `spelledOnce` could make the start of another code. No browser sends one. */
const brokenCode = /%(?![0-9a-f]{2})/i;

/**
 * The spelling that browsers use for an endpoint, so that one subscription does not count as several. Decodes the characters
 * that need no percent-encoding (RFC 3986, 2.3), which the URL parser leaves encoded. Keeps the case of other codes, because
 * the browser compares the stored endpoint with its own.
 */
function spelledOnce(endpoint: string): string {
  const url = new URL(endpoint);
  url.hash = '';
  return url.href.replace(/%[0-9a-f]{2}/gi, code => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

export function pushHandlers({
  database,
  pushSender,
}: Pick<Parts, 'database' | 'pushSender'>): Handlers<typeof pushApi> {
  return {
    async listPushDevices({ customer }) {
      const devices = await readPushDevices(database.reader, customer.accountId);
      return { data: { publicKey: pushSender.publicKey, devices } };
    },

    async addPushDevice({ body, customer, address, userAgent }) {
      if (pushSender.publicKey === null) throw new Refusal('CONFLICT', { message: pushMessages.off });
      if (!pushSender.isSupported(body.endpoint) || brokenCode.test(body.endpoint))
        throw new Refusal('VALIDATION', { message: pushMessages.otherService });
      const endpoint = spelledOnce(body.endpoint);
      if (!(await pushSender.isUsable(body)))
        throw new Refusal('VALIDATION', { message: pushMessages.brokenKeys });
      const saved = await database.inTransaction(async tx => {
        const { id, outcome, former } = await savePushDevice(tx, customer.accountId, {
          ...body,
          endpoint,
          device: nameDevice(userAgent),
        });
        if (outcome === 'added') await announceOwn(tx, customer, 'push-added');
        if (outcome === 'muted') await announceOwn(tx, customer, 'preferences-changed');
        if (outcome !== 'same') {
          const action = outcome === 'added' ? 'push.added' : 'push.changed';
          await recordCustomerAct(tx, { customer, address }, action, { device: id });
        }
        if (former) {
          const { customerId, accountId } = former;
          // The audit record of either customer has the id of the device, but neither record names the other customer.
          const actor = { kind: 'system' } as const;
          await recordAudit(tx, {
            actor,
            action: 'push.taken-over',
            subject: customerId,
            data: { device: id },
          });
          await notify(tx, accountId, 'push-taken-over');
          await enqueueJob(tx, 'mail', { template: 'push-taken-over', personId: customerId });
        }
        return (await readPushDevices(tx, customer.accountId)).find(({ _id }) => _id === id)!;
      });
      return { data: saved };
    },

    async removePushDevice({ params: { id }, customer, address }) {
      await database.inTransaction(async tx => {
        await deletePushDevice(tx, customer.accountId, id);
        await announceOwn(tx, customer, 'push-removed');
        await recordCustomerAct(tx, { customer, address }, 'push.removed', { device: id });
      });
    },
  };
}
