/** The transfer area's calls. */
import { transferApi } from '#contract/transfer.ts';
import { areaApi } from '#web/base/api.ts';

/** The tags that a transfer invalidates. */
export const afterSending = ['Money', 'Transactions', 'Notifications'] as const;

export const transferClient = areaApi(transferApi, {
  sendInternal: { invalidates: [...afterSending] },
  sendExternal: { invalidates: [...afterSending] },
});

export const { useVerifyAccountQuery } = transferClient;
