/** The settings area's calls as hooks. */
import { settingsApi } from '#contract/settings.ts';
import { areaApi } from '#web/base/api.ts';

export const settingsClient = areaApi(settingsApi, {
  listSessions: { provides: ['Sessions'] },
  identity: { provides: ['Profile'] },
  updateIdentity: {
    invalidates: ['Profile', 'Notifications'],
    ifOutOfDate: ['Profile'],
    saves: 'identity',
  },
  changePassword: { invalidates: ['Sessions', 'Notifications'] },
  endSession: { invalidates: ['Sessions'] },
  endOtherSessions: { invalidates: ['Sessions'] },
  updateContact: { invalidates: ['Profile', 'Notifications'], saves: 'profile' },
  uploadAvatar: { invalidates: ['Profile'] },
  uploadIdCard: { invalidates: ['Profile', 'Notifications'] },
});

export const {
  useChangePasswordMutation,
  useIdentityQuery,
  useUpdateIdentityMutation,
  useUpdateContactMutation,
  useDeleteAccountMutation,
  useUploadAvatarMutation,
  useUploadIdCardMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
} = settingsClient;
