/** The payees area's calls. */
import { payeesApi } from '#contract/payees.ts';
import { areaApi } from '#web/base/api.ts';

const payeesClient = areaApi(payeesApi, {
  listPayees: { provides: ['Payees', 'Money'] },
  addPayee: { invalidates: ['Payees', 'Notifications'] },
  renamePayee: { invalidates: ['Payees'], ifOutOfDate: ['Payees'] },
  removePayee: { invalidates: ['Payees'], ifOutOfDate: ['Payees'] },
});

export const { useListPayeesQuery, useAddPayeeMutation, useRenamePayeeMutation, useRemovePayeeMutation } =
  payeesClient;
