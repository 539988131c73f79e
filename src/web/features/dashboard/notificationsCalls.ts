/** The customer's notifications as hooks. */
import { notificationsApi } from '#contract/notifications.ts';
import { areaApi } from '#web/base/api.ts';

export const { useListNotificationsQuery, useReadNotificationMutation, useReadNotificationsMutation } =
  areaApi(notificationsApi, {
    listNotifications: { provides: ['Notifications'] },
    readNotification: { invalidates: ['Notifications'] },
    readNotifications: { invalidates: ['Notifications'] },
  });
