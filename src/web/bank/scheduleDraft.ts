/** A transfer that its form passes on to be scheduled, in the state of the navigation. All fields as typed. */
export type ScheduleDraft = {
  to: 'internal' | 'external';
  number: string;
  bankName: string;
  accountName: string;
  amount: string;
  description: string;
};

/** The draft in the state of a location, if it has one. */
export function draftOf(state: unknown): ScheduleDraft | undefined {
  return (state as { draft?: ScheduleDraft } | null)?.draft;
}
