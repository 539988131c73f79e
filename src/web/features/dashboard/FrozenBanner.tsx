/**
 * Shown on every screen of a frozen customer: what is blocked, what still works, whom to contact. If only the customer froze
 * the account, not the bank, the customer can unfreeze it here.
 */
import { limitsApi } from '#contract/limits.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useActs } from '#web/base/useActs.ts';
import { useFreezeStateQuery, useUnfreezeOwnMutation } from '#web/features/settings/limitsCalls.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useGoneFocus } from '#web/ui/useGoneFocus.ts';
import { words } from './words.ts';
import './FrozenBanner.css';

/** Gets the focus when the banner disappears with the pressed button. */
const page = {
  get current() {
    return document.getElementById('main');
  },
};

export function FrozenBanner() {
  const goneFocus = useGoneFocus(page);
  const dispatch = useAppDispatch();
  const approved = useAppSelector(selectCustomer)?.isApproved;
  const state = useFreezeStateQuery();
  const { data } = state;
  const [unfreeze] = useUnfreezeOwnMutation();
  const { act, busy, failed, isUnknown } = useActs(state, errorMessages.fault);
  // The Settings screen reports the result in its own notice, so the banner does not. After a success the banner is gone.
  const isReported = useLocation().pathname === '/dashboard/settings';
  const isOwn = data?.byYou && !data.byBank;
  const press = async () => {
    const { hasWorked, error } = await act(
      'unfreeze',
      () => unfreeze({ confirms: words.unfreezeConfirms }),
      now => now.byYou,
    );
    // The notice knows only an answer that arrived.
    if (!hasWorked || !error || !isReported) return;
    const { settingsNoted } = await import('#web/features/settings/settingsSlice.ts');
    dispatch(settingsNoted({ request: 'success', message: limitsApi.unfreezeOwn.message }));
  };
  return (
    <Banner
      className="FrozenBanner"
      kind="warning"
      icon="lock"
      title={isOwn ? words.frozenByYou : errorMessages.accountFrozen}
      action={
        isOwn ? (
          <Button
            kind="quiet"
            size="s"
            ref={goneFocus}
            busy={busy !== undefined}
            busyLabel={words.unfreezing}
            onClick={() => void press()}
          >
            {words.unfreeze}
          </Button>
        ) : (
          <Button kind="quiet" size="s" to={aboutFrozenAccount}>
            {navMessages.helpDesk}
          </Button>
        )
      }
    >
      {failed && (isUnknown || !isReported) ? (
        <span role="alert">{failed}</span>
      ) : approved ? (
        words.frozenText
      ) : (
        words.frozenPending
      )}
    </Banner>
  );
}
