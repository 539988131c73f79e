/**
 * Freezes the customer's own account at once, and unfreezes it after a confirmation. If the bank froze it, links to the Help
 * Desk instead.
 */
import { useRef } from 'react';
import { limitsApi } from '#contract/limits.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { useActs } from '#web/base/useActs.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useGoneFocus } from '#web/ui/useGoneFocus.ts';
import { useFreezeOwnMutation, useFreezeStateQuery, useUnfreezeOwnMutation } from './limitsCalls.ts';
import { settingsNoted, settingsReset } from './settingsSlice.ts';
import { words } from './words.ts';
import './FreezeOwn.css';

const texts = words.freeze;

export function FreezeOwn() {
  const state = useFreezeStateQuery();
  const { data, isError, refetch } = state;
  const [freeze] = useFreezeOwnMutation();
  const [unfreeze] = useUnfreezeOwnMutation();
  const { act, busy, failed, isUnknown } = useActs(state, errorMessages.fault);
  const dispatch = useAppDispatch();
  const title = useRef<HTMLParagraphElement>(null);
  const goneFocus = useGoneFocus(title);
  if (!data)
    return isError ? (
      <LoadFailed title={words.limits.failed} onRetry={refetch} />
    ) : (
      <Skeleton kind="text" count={2} label={words.limits.loading} />
    );
  const { byYou, byBank } = data;
  const kind = byBank ? 'byBank' : byYou ? 'byYou' : 'open';
  const change = async (send: () => PromiseLike<{ error?: unknown }>, done: string) => {
    dispatch(settingsReset());
    const { hasWorked, error } = await act('change', send, now => now.byYou === byYou);
    if (hasWorked && error) dispatch(settingsNoted({ request: 'success', message: done }));
  };
  return (
    <div className="FreezeOwn">
      <p ref={title} tabIndex={-1}>
        <b>{texts[kind]}</b>
      </p>
      {texts[`${kind}Texts`].map(text => (
        <p key={text} className="type-small">
          {text}
        </p>
      ))}
      {/* The keys make two buttons, of which a pressed one takes the focus with it: an Enter meant for the code must not freeze
          the account again. A second click of a double-click must not undo the first. */}
      {isUnknown && <Banner kind="warning" title={failed} />}
      {kind === 'byBank' ? (
        <Button kind="quiet" to={aboutFrozenAccount}>
          {navMessages.helpDesk}
        </Button>
      ) : kind === 'byYou' ? (
        <Button
          key="unfreeze"
          ref={goneFocus}
          busy={busy !== undefined}
          busyLabel={texts.unfreezing}
          onClick={({ detail }) => {
            if (detail < 2)
              void change(() => unfreeze({ confirms: texts.confirms }), limitsApi.unfreezeOwn.message);
          }}
        >
          {texts.unfreeze}
        </Button>
      ) : (
        <Button
          key="freeze"
          ref={goneFocus}
          kind="danger"
          busy={busy !== undefined}
          busyLabel={texts.freezing}
          onClick={({ detail }) => {
            if (detail < 2) void change(() => freeze(), limitsApi.freezeOwn.message);
          }}
        >
          {texts.freeze}
        </Button>
      )}
    </div>
  );
}
