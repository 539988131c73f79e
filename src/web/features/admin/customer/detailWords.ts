/** The texts of changing a customer's name and email, of resetting second factors, and of a note that was lost. */
import type { ChangedField } from '#contract/adminCustomers.ts';
import { factorReset } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';

export const detailWords = {
  open: 'Change name or email',
  title: 'Change name or email',
  text: 'We email the customer about the change.',
  fields: {
    firstName: 'First name',
    middleName: 'Middle name',
    lastName: 'Last name',
    email: 'Email',
  } satisfies Record<ChangedField, string>,
  proof: 'Proof',
  proofMissing: 'Enter the proof',
  proofHint:
    'What you saw, such as a passport or a marriage certificate. Colleagues read this, and the customer gets it in a copy of all data.',
  emailText:
    'A new email address ends every session, and we email both addresses. For 24 hours, no transfer can be confirmed with an emailed code.',
  nameText: 'After a name change, the ID document must be verified again.',
  save: 'Save changes',
  saving: 'Saving...',
  nothingChanged: 'Change the name or the email first.',
  changes: 'Changes by the staff',
  change: (field: ChangedField, former: string, value: string) =>
    `${detailWords.fields[field]}: ${former || 'empty'} → ${value || 'empty'}`,

  factors: 'Second factors',
  app: 'Authenticator app',
  passkeys: 'Passkeys',
  on: 'On',
  off: 'Off',
  reset: 'Remove second factors',
  resetTitle: (name: string) => `Remove the second factors of ${name}?`,
  resetText: `For a customer who lost their phone and recovery codes. We email the customer at once. After ${factorReset.waitHours} hours the app and all passkeys are removed. That is canceled if the customer first logs in with one of them, if you freeze the account, or if it is frozen with the link in our emails. If a stranger may have added one, freeze the account before you ask for the removal.`,
  resetHint: 'How you checked who is asking. Saved in the audit log.',
  resetWaits: (when: string) => `The second factors will be removed on ${when}`,
  requestedBy: (name: string) => `Requested by ${name}.`,
  cancelReset: 'Cancel the removal',

  noteLost: `${appMessages.sessionEnded} The note was not saved.`,
} as const;
