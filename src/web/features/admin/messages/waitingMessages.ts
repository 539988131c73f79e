/** The first page of the messages that wait: the list and the count in the sidebar share its answer. */
export const waitingMessages = { query: { list: 'waiting' } } as const;
