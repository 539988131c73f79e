/** The push area's calls as hooks. */
import { pushApi } from '#contract/push.ts';
import { areaApi } from '#web/base/api.ts';

export const { useListPushDevicesQuery, useAddPushDeviceMutation, useRemovePushDeviceMutation } = areaApi(
  pushApi,
  {
    listPushDevices: { provides: ['Profile'] },
    addPushDevice: { invalidates: ['Profile', 'Notifications'] },
    removePushDevice: { invalidates: ['Profile', 'Notifications'] },
  },
);
