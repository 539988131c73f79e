/** The first page of the requests that wait: the list and the count in the sidebar share its answer. */
export const waitingRequests = { query: { status: 'pending' } } as const;
