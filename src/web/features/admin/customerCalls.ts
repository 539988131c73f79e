/** Hooks for the calls of the customer page and the filtered customer list, and for acts on applications and transactions. */
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { Data } from '#contract/endpoint.ts';
import { limitsApi } from '#contract/limits.ts';
import { areaApi } from '#web/base/api.ts';

const { returnHeldPayment } = limitsApi;

export const customerCalls = areaApi(
  { ...adminCustomersApi, returnHeldPayment },
  {
    customers: { provides: ['Customer'] },
    customerRecord: { provides: ['Customer'] },
    notes: { provides: ['Customer'] },
    customerSessions: { provides: ['Customer'] },
    customerMails: { provides: ['Customer'] },
    reverse: { invalidates: ['AdminTransactions', 'AdminStats', 'Users', 'Customer', 'Requests'] },
    changeCustomer: { invalidates: ['Users', 'Approvals', 'Customer', 'Screening', 'Requests'] },
    customerChanges: { provides: ['Customer'] },
    rejectApplication: {
      invalidates: ['Users', 'Approvals', 'Customer', 'Screening', 'Messages', 'Alerts'],
    },
    requestId: { invalidates: ['Users', 'Approvals', 'Customer'] },
    addNote: { invalidates: ['Customer'] },
    endCustomerSessions: { invalidates: ['Customer'] },
    resendMail: { invalidates: ['Customer'] },
    returnHeldPayment: { invalidates: ['AdminTransactions', 'AdminStats', 'Users', 'Customer'] },
  },
);

export type CustomerSession = Data<(typeof adminCustomersApi)['customerSessions']>['sessions'][number];
export type CustomerDevice = Data<(typeof adminCustomersApi)['customerSessions']>['devices'][number];
export type CustomerMail = Data<(typeof adminCustomersApi)['customerMails']>[number];
export type CustomerAct = Data<(typeof adminCustomersApi)['customerHistory']>['records'][number];

export const {
  useAddNoteMutation,
  useChangeCustomerMutation,
  useCustomerChangesQuery,
  useCustomerMailsQuery,
  useCustomerRecordQuery,
  useCustomerSessionsQuery,
  useCustomersQuery,
  useEndCustomerSessionsMutation,
  useLazyCustomerHistoryQuery,
  useNotesQuery,
  useRejectApplicationMutation,
  useRequestIdMutation,
  useResendMailMutation,
  useReturnHeldPaymentMutation,
} = customerCalls;
