/** The panels of the administrator's own authenticator app and passkeys. */
import { useState } from 'react';
import type { FactorConfirmation } from '#contract/factors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { AppFactor } from '#web/bank/AppFactor.tsx';
import * as texts from '#web/bank/factorTexts.ts';
import { PasskeyFactor } from '#web/bank/PasskeyFactor.tsx';
import { factorActs } from '#web/base/factorActs.ts';
import { canUsePasskeys } from '#web/base/passkeys.ts';
import { saveText } from '#web/base/saveFile.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { ConfirmChange } from './ConfirmChange.tsx';
import {
  useAdminAddPasskeyMutation,
  useAdminAppQuery,
  useAdminConfirmAppMutation,
  useAdminPasskeyOptionsMutation,
  useAdminPasskeysQuery,
  useAdminRemoveAppMutation,
  useAdminRemovePasskeyMutation,
  useAdminRenewRecoveryCodesMutation,
  useAdminStartAppMutation,
} from './factorsCalls.ts';

type Confirmed = { confirmation?: FactorConfirmation };

export function OwnFactors() {
  /** Resolves the open confirmation; undefined while none is open. */
  const [settle, setSettle] = useState<(given: Confirmed | undefined) => void>();
  const app = useAdminAppQuery();
  const passkeys = useAdminPasskeysQuery();
  const [startApp] = useAdminStartAppMutation();
  const [confirmApp] = useAdminConfirmAppMutation();
  const [renewCodes] = useAdminRenewRecoveryCodesMutation();
  const [removeApp] = useAdminRemoveAppMutation();
  const [passkeyOptions] = useAdminPasskeyOptionsMutation();
  const [addPasskey] = useAdminAddPasskeyMutation();
  const [removePasskey] = useAdminRemovePasskeyMutation();
  const hasApp = app.data?.isEnabled === true;
  const hasPasskey = (passkeys.data ?? []).length > 0;
  const confirm = async (): Promise<Confirmed | undefined> => {
    if (!hasApp && !hasPasskey) return {};
    const asked = Promise.withResolvers<Confirmed | undefined>();
    setSettle(() => asked.resolve);
    const given = await asked.promise;
    setSettle(undefined);
    return given;
  };
  const acts = factorActs(
    { startApp, confirmApp, renewCodes, removeApp, passkeyOptions, addPasskey, removePasskey },
    { app, passkeys },
    texts.actTexts,
    confirm,
  );
  return (
    <>
      <Panel labelledBy="account-app">
        <h2 className="type-head" id="account-app" tabIndex={-1}>
          {factorsMessages.app}
        </h2>
        <p className="AccountView-note type-note">{texts.appNoteAdmin}</p>
        <AppFactor
          app={app}
          acts={acts}
          passwordKind="text"
          offText={hasPasskey ? texts.appOffPasskey : texts.appOffAdmin}
          removalEnds={texts.removalEndsAdmin}
          onSave={saveText}
        />
      </Panel>
      <Panel labelledBy="account-passkeys">
        <h2 className="type-head" id="account-passkeys" tabIndex={-1}>
          {factorsMessages.passkeys}
        </h2>
        <p className="AccountView-note type-note">{texts.passkeyNote}</p>
        <PasskeyFactor
          passkeys={passkeys}
          acts={acts}
          isSupported={canUsePasskeys()}
          removalEnds={texts.removalEndsAdmin}
        />
      </Panel>
      {settle && (
        <ConfirmChange
          hasApp={hasApp}
          hasPasskey={hasPasskey}
          onConfirm={confirmation => settle({ confirmation })}
          onClose={() => settle(undefined)}
        />
      )}
    </>
  );
}
