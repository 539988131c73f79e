/**
 * Query options for data that another person or device also changes: poll while the page has the focus, and refetch on return.
 */
export const pollingOptions = {
  pollingInterval: 30_000,
  skipPollingIfUnfocused: true,
  refetchOnFocus: true,
} as const;
