/** A transfer that the transfer form passes to the scheduling form in the navigation's state. All fields are as typed. */
export type ScheduleDraft = {
  /** The id of a payee, or the kind of a receiver who is not one. */
  to: string;
  receiverAccountNumber?: string;
  bankName?: string;
  accountName?: string;
  amount: string;
  description: string;
};

/** The draft in the state of a location, if it has one. */
export function draftOf(state: unknown): ScheduleDraft | undefined {
  return (state as { draft?: ScheduleDraft } | null)?.draft;
}
