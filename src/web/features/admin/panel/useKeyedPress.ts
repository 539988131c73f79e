/** Presses of a button with which an administrator moves money. */
import { useRef } from 'react';
import { type Outcome, sendKeyed } from '#web/base/keyedPress.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';

/**
 * Returns a function that sends a press. After a lost answer, the next press with the same `content` sends the same idempotency
 * key, so that it cannot move the money twice.
 */
export function useKeyedPress() {
  const onlyFor = useAppSelector(selectAdmin)?._id ?? '';
  const last = useRef<{ key: string; content: string; isRepeat: boolean }>(undefined);
  return async <Data>(
    content: string,
    send: Parameters<typeof sendKeyed<Data>>[0],
  ): Promise<Outcome<Data>> => {
    if (last.current?.content !== content)
      last.current = { key: crypto.randomUUID(), content, isRepeat: false };
    const { key: idempotencyKey, isRepeat } = last.current;
    const outcome = await sendKeyed(send, { idempotencyKey, onlyFor }, isRepeat);
    if ('error' in outcome && outcome.isUnknown) last.current.isRepeat = true;
    else last.current = undefined;
    return outcome;
  };
}
