/**
 * Keeps a line to the bank open on which it says that there is news, while somebody looks at the page: taken up again when it
 * breaks, let go when nobody looks, and without a line the bank is asked every minute. Read by fetch, so that the token
 * travels in a header like everywhere.
 */
import { liveUpdates, session } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { readEvents } from './eventStream.ts';

export type News = {
  /** The newest notification there is; undefined where no line told. */
  newest: string | null | undefined;
  /** The first word of a line says how things stand; there may be nothing new in it. */
  isFirst: boolean;
};

/** A tab that is only passed by keeps its line: a browser has six to one server, over all tabs. */
const hiddenPatienceMs = 20_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A line that lasted this long was a good one: the next is tried for soon. */
const steadyMs = 10_000;

/** Calls `onNews` whenever something may be new, until the function it gives back is called. */
export function followNews(token: string, onNews: (news: News) => void): () => void {
  let line: AbortController | undefined;
  let isOpen = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let letGo: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  const guess = () => onNews({ newest: undefined, isFirst: false });

  const connect = async (): Promise<void> => {
    if (line) return;
    const own = new AbortController();
    line = own;
    const began = Date.now();
    const onOpen = () => {
      isOpen = true;
    };
    const status = await listen(token, own, onOpen, onNews).catch(() => undefined);
    if (line !== own) return;
    line = undefined;
    isOpen = false;
    failures = status === 200 && Date.now() - began >= steadyMs ? 0 : failures + 1;
    // A session that is over is ended by the answer to an ordinary question.
    if (status === 401) guess();
    const pause = Math.min(firstPauseMs * 2 ** Math.max(0, failures - 1), longestPauseMs);
    // Not all at once, when a server comes back.
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
  // A tab that was opened behind another one waits until it is looked at.
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

/** Listens until the line ends; gives the answer's status. Throws where it broke, died silently or was dropped. */
async function listen(
  token: string,
  line: AbortController,
  onOpen: () => void,
  onNews: (news: News) => void,
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
      onNews({ newest: (JSON.parse(data) as { newest: string | null }).newest, isFirst });
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
