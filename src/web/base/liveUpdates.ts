/**
 * Keeps an event stream to the bank open while the page is visible. Reopens it when it breaks, closes it while the tab stays
 * hidden, and polls every minute if there is no stream. Reads the stream with fetch, so that the token is sent in a header as
 * in every other call.
 */
import { liveUpdates, session } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { readEvents } from './eventStream.ts';
import { idleHeader } from './lastAction.ts';

export type LiveUpdate = {
  /** The newest notification's id; undefined when polling. */
  newest: string | null | undefined;
  /** The first event of a stream reports the current state, which may contain nothing new. */
  isFirst: boolean;
};

/** A tab that is hidden for longer closes its stream: over HTTP/1.1, browsers allow six connections per host for all tabs. */
const hiddenTimeoutMs = 20_000;
/** A tab that becomes visible also gets the focus. Both events within this time count as one return. */
const returnIntervalMs = 1_000;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
/** A stream that lasted this long counts as healthy: it is reopened with the shortest delay. */
const healthyMs = 10_000;

/** Calls `onUpdate` whenever there may be something new, until the returned function is called. */
export function followLiveUpdates(token: string, onUpdate: (update: LiveUpdate) => void): () => void {
  let connection: AbortController | undefined;
  let isOpen = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let isPaused = false;
  let returnedAt = -returnIntervalMs;
  const refresh = () => onUpdate({ newest: undefined, isFirst: false });

  const connect = async (): Promise<void> => {
    if (connection) return;
    const current = new AbortController();
    connection = current;
    const began = Date.now();
    const onOpen = () => {
      isOpen = true;
    };
    const status = await listen(token, current, onOpen, onUpdate).catch(() => undefined);
    if (connection !== current) return;
    connection = undefined;
    isOpen = false;
    failures = status === 200 && Date.now() - began >= healthyMs ? 0 : failures + 1;
    // If the session is over, the refused refetch ends it in the browser.
    if (status === 401) refresh();
    const delay = Math.min(firstDelayMs * 2 ** Math.max(0, failures - 1), maxDelayMs);
    // Jitter, so that clients do not reconnect all at the same time when a server comes back.
    retry = setTimeout(connect, delay * (0.5 + Math.random()));
  };
  const disconnect = (): void => {
    clearTimeout(retry);
    const current = connection;
    connection = undefined;
    isOpen = false;
    current?.abort();
  };
  const connectNow = (): void => {
    if (isPaused || isOpen) return;
    failures = 0;
    disconnect();
    void connect();
  };
  const onVisibilityChange = (): void => {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === 'hidden') {
      hiddenTimer = setTimeout(() => {
        isPaused = true;
        disconnect();
      }, hiddenTimeoutMs);
    } else {
      isPaused = false;
      connectNow();
      onReturn();
    }
  };
  /** Refreshes, because another tab may have made a change. The stream reports only money and notifications. */
  const onReturn = (): void => {
    if (!isOpen || performance.now() - returnedAt < returnIntervalMs) return;
    returnedAt = performance.now();
    refresh();
  };

  const pollTimer = setInterval(() => {
    if (!isOpen && !isPaused) refresh();
  }, session.tokenCheckMs);
  document.addEventListener('visibilitychange', onVisibilityChange);
  addEventListener('online', connectNow);
  addEventListener('focus', onReturn);
  // A tab that was opened in the background connects when it becomes visible.
  isPaused = document.visibilityState === 'hidden';
  connectNow();
  return () => {
    clearInterval(pollTimer);
    clearTimeout(hiddenTimer);
    isPaused = true;
    document.removeEventListener('visibilitychange', onVisibilityChange);
    removeEventListener('online', connectNow);
    removeEventListener('focus', onReturn);
    disconnect();
  };
}

/** Reads until the stream ends and returns the response's status. Throws if it broke, timed out or was aborted. */
async function listen(
  token: string,
  connection: AbortController,
  onOpen: () => void,
  onUpdate: (update: LiveUpdate) => void,
): Promise<number> {
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => connection.abort(), liveUpdates.timeoutMs);
  };
  try {
    restartTimer();
    const response = await fetch(notificationsApi.live.path, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...idleHeader() },
      signal: connection.signal,
    });
    if (response.status !== 200 || !response.body) return response.status;
    onOpen();
    let isFirst = true;
    const read = readEvents(({ event, data }) => {
      if (event !== 'changed') return;
      onUpdate({ newest: (JSON.parse(data) as { newest: string | null }).newest, isFirst });
      isFirst = false;
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return response.status;
      restartTimer();
      read(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(silenceTimer);
  }
}
