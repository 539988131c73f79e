/** All calls of the API by area. A call that is not listed here is not served. */
import { adminApi } from './admin.ts';
import { adminCustomersApi } from './adminCustomers.ts';
import { alertsApi } from './alerts.ts';
import { authApi } from './auth.ts';
import { contactApi } from './contact.ts';
import { contactQueueApi } from './contactQueue.ts';
import { dayEndApi } from './dayEnd.ts';
import { adminFactorsApi, factorsApi } from './factors.ts';
import { fourEyesApi } from './fourEyes.ts';
import { goalsApi } from './goals.ts';
import { limitsApi } from './limits.ts';
import { notificationsApi } from './notifications.ts';
import { payeesApi } from './payees.ts';
import { preferencesApi } from './preferences.ts';
import { pushApi } from './push.ts';
import { railApi } from './rail.ts';
import { recordsApi } from './records.ts';
import { retainedApi } from './retained.ts';
import { scheduledApi } from './scheduled.ts';
import { screeningApi } from './screening.ts';
import { settingsApi } from './settings.ts';
import { staffApi } from './staff.ts';
import { stepUpApi } from './stepUp.ts';
import { transactionsApi } from './transactions.ts';
import { transferApi } from './transfer.ts';
import { unclaimedApi } from './unclaimed.ts';

export const areas = {
  auth: authApi,
  factors: factorsApi,
  transactions: transactionsApi,
  transfer: transferApi,
  payees: payeesApi,
  scheduled: scheduledApi,
  goals: goalsApi,
  records: recordsApi,
  settings: settingsApi,
  stepUp: stepUpApi,
  limits: limitsApi,
  notifications: notificationsApi,
  preferences: preferencesApi,
  push: pushApi,
  contact: contactApi,
  admin: adminApi,
  adminFactors: adminFactorsApi,
  staff: staffApi,
  fourEyes: fourEyesApi,
  adminCustomers: adminCustomersApi,
  contactQueue: contactQueueApi,
  unclaimed: unclaimedApi,
  dayEnd: dayEndApi,
  retained: retainedApi,
  alerts: alertsApi,
  screening: screeningApi,
  rail: railApi,
} as const;
