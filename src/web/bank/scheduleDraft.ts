/** A transfer that the transfer form passes to the scheduling form in the navigation's state. All fields are as typed. */
export type ScheduleDraft = {
  to: 'internal' | 'external';
  receiverAccountNumber: string;
  bankName: string;
  accountName: string;
  amount: string;
  description: string;
};

/** The draft in the state of a location, if it has one. */
export function draftOf(state: unknown): ScheduleDraft | undefined {
  return (state as { draft?: ScheduleDraft } | null)?.draft;
}
