/** Handlers of the area settings. */
import type { settingsApi } from '#contract/settings.ts';
import type { Handlers } from '../http/serve.ts';

export function settingsHandlers(): Handlers<typeof settingsApi> {
  return {
    changePassword: 'notBuilt',
    updateContact: 'notBuilt',
    deleteAccount: 'notBuilt',
    uploadAvatar: 'notBuilt',
    uploadIdCard: 'notBuilt',
  };
}
