/**
 * Freezes the customer's own account at once, and unfreezes it after a confirmation. If the bank froze it, links to the Help
 * Desk instead.
 */

import * as navMessages from '#contract/messages/nav.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useFreezeOwnMutation, useFreezeStateQuery, useUnfreezeOwnMutation } from './limitsCalls.ts';
import { settingsReset } from './settingsSlice.ts';
import { words } from './words.ts';
import './FreezeOwn.css';

const texts = words.freeze;

export function FreezeOwn() {
  const { data, isError, refetch } = useFreezeStateQuery();
  const [freeze, freezing] = useFreezeOwnMutation();
  const [unfreeze, unfreezing] = useUnfreezeOwnMutation();
  const dispatch = useAppDispatch();
  if (!data)
    return isError ? (
      <LoadFailed title={words.limits.failed} onRetry={refetch} />
    ) : (
      <Skeleton kind="text" count={2} label={words.limits.loading} />
    );
  const { byYou, byBank } = data;
  const state = byBank ? 'byBank' : byYou ? 'byYou' : 'open';
  return (
    <div className="FreezeOwn">
      <p>
        <b>{texts[state]}</b>
      </p>
      <p className="type-small">{texts[`${state}Text`]}</p>
      {state === 'byBank' ? (
        <Button kind="quiet" to={aboutFrozenAccount}>
          {navMessages.helpDesk}
        </Button>
      ) : state === 'byYou' ? (
        <Button
          busy={unfreezing.isLoading}
          busyLabel={texts.unfreezing}
          onClick={() => {
            dispatch(settingsReset());
            void unfreeze({ confirms: texts.confirms });
          }}
        >
          {texts.unfreeze}
        </Button>
      ) : (
        <Button
          kind="danger"
          busy={freezing.isLoading}
          busyLabel={texts.freezing}
          onClick={() => {
            dispatch(settingsReset());
            void freeze();
          }}
        >
          {texts.freeze}
        </Button>
      )}
    </div>
  );
}
