/**
 * Keeps an event stream to the bank open while the page is visible: reopens it when it breaks, closes it while the tab stays
 * hidden, and polls every minute if there is no stream. Reads it by fetch, so that the token is sent in a header as in every
 * other call.
 */
import { liveUpdates, session } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { readEvents } from './eventStream.ts';

export type LiveUpdate = {
  /** The newest notification's id; undefined when polling. */
  newest: string | null | undefined;
  /** The first event of a stream reports the current state, which may contain nothing new. */
  isFirst: boolean;
};

/** A briefly hidden tab keeps its stream. Longer ones close it: browsers allow six connections per host, over all tabs. */
const hiddenPatienceMs = 20_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A stream that lasted this long counts as healthy: it is reopened with the shortest delay. */
const steadyMs = 10_000;

/** Calls `onUpdate` whenever there may be something new, until the returned function is called. */
export function followLiveUpdates(token: string, onUpdate: (update: LiveUpdate) => void): () => void {
  let line: AbortController | undefined;
  let isOpen = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let letGo: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  const guess = () => onUpdate({ newest: undefined, isFirst: false });

  const connect = async (): Promise<void> => {
    if (line) return;
    const own = new AbortController();
    line = own;
    const began = Date.now();
    const onOpen = () => {
      isOpen = true;
    };
    const status = await listen(token, own, onOpen, onUpdate).catch(() => undefined);
    if (line !== own) return;
    line = undefined;
    isOpen = false;
    failures = status === 200 && Date.now() - began >= steadyMs ? 0 : failures + 1;
    // The response to an ordinary request ends a session that is over.
    if (status === 401) guess();
    const pause = Math.min(firstPauseMs * 2 ** Math.max(0, failures - 1), longestPauseMs);
    // Jitter, so that clients do not reconnect all at the same time when a server comes back.
    retry = setTimeout(connect, pause * (0.5 + Math.random()));
  };
  const drop = (): void => {
    clearTimeout(retry);
    const own = line;
    line = undefined;
    isOpen = false;
    own?.abort();
  };
  const connectNow = (): void => {
    if (isResting || isOpen) return;
    failures = 0;
    drop();
    void connect();
  };
  const look = (): void => {
    clearTimeout(letGo);
    if (document.visibilityState === 'hidden') {
      letGo = setTimeout(() => {
        isResting = true;
        drop();
      }, hiddenPatienceMs);
    } else {
      isResting = false;
      connectNow();
    }
  };

  const asking = setInterval(() => {
    if (!isOpen && !isResting) guess();
  }, session.tokenCheckMs);
  document.addEventListener('visibilitychange', look);
  addEventListener('online', connectNow);
  // A tab that was opened in the background connects when it becomes visible.
  isResting = document.visibilityState === 'hidden';
  connectNow();
  return () => {
    clearInterval(asking);
    clearTimeout(letGo);
    isResting = true;
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', connectNow);
    drop();
  };
}

/** Reads until the stream ends and returns the response's status. Throws if it broke, timed out or was aborted. */
async function listen(
  token: string,
  line: AbortController,
  onOpen: () => void,
  onUpdate: (update: LiveUpdate) => void,
): Promise<number> {
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => line.abort(), liveUpdates.timeoutMs);
  };
  try {
    heard();
    const response = await fetch(notificationsApi.live.path, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      signal: line.signal,
    });
    if (response.status !== 200 || !response.body) return response.status;
    onOpen();
    let isFirst = true;
    const read = readEvents(({ event, data }) => {
      if (event !== 'news') return;
      onUpdate({ newest: (JSON.parse(data) as { newest: string | null }).newest, isFirst });
      isFirst = false;
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return response.status;
      heard();
      read(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
  }
}
