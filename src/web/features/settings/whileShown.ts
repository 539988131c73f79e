/** Options of a query whose answer another device may change while the page is open. */
export const whileShown = {
  pollingInterval: 30_000,
  skipPollingIfUnfocused: true,
  refetchOnFocus: true,
} as const;
