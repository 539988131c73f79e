/** Handlers of the area settings. */
import { Refusal } from '#contract/errors.ts';
import type { settingsApi } from '#contract/settings.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readIdCardFile } from '../people/customers.ts';

export function settingsHandlers({
  database,
  files,
}: Pick<Parts, 'database' | 'files'>): Handlers<typeof settingsApi> {
  return {
    changePassword: 'notBuilt',
    updateContact: 'notBuilt',
    deleteAccount: 'notBuilt',

    async ownIdCard({ customer }) {
      const name = await readIdCardFile(database.reader, customer.customerId);
      const picture = name === undefined ? undefined : await files.read(name);
      if (!picture) throw new Refusal('NOT_FOUND');
      return { picture };
    },

    uploadAvatar: 'notBuilt',
    uploadIdCard: 'notBuilt',
    listSessions: 'notBuilt',
    endSession: 'notBuilt',
    endOtherSessions: 'notBuilt',
  };
}
