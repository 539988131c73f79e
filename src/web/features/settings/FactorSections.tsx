/** The sections 'Authenticator app' and 'Passkeys' of the security settings. */
import * as factorsMessages from '#contract/messages/factors.ts';
import { AppFactor } from '#web/bank/AppFactor.tsx';
import * as texts from '#web/bank/factorTexts.ts';
import { PasskeyFactor } from '#web/bank/PasskeyFactor.tsx';
import { factorActs } from '#web/base/factorActs.ts';
import { canUsePasskeys } from '#web/base/passkeys.ts';
import { saveText } from '#web/base/saveFile.ts';
import {
  useAddPasskeyMutation,
  useAppQuery,
  useConfirmAppMutation,
  usePasskeyOptionsMutation,
  usePasskeysQuery,
  useRemoveAppMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useStartAppMutation,
} from './factorsCalls.ts';
import { SettingsSection } from './SettingsSection.tsx';

export function FactorSections() {
  const app = useAppQuery();
  const passkeys = usePasskeysQuery();
  const [startApp] = useStartAppMutation();
  const [confirmApp] = useConfirmAppMutation();
  const [renewCodes] = useRenewRecoveryCodesMutation();
  const [removeApp] = useRemoveAppMutation();
  const [passkeyOptions] = usePasskeyOptionsMutation();
  const [addPasskey] = useAddPasskeyMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  const acts = factorActs(
    { startApp, confirmApp, renewCodes, removeApp, passkeyOptions, addPasskey, removePasskey },
    texts.actTexts,
  );
  return (
    <>
      <SettingsSection title={factorsMessages.app} note={texts.appNote}>
        <AppFactor
          app={app}
          acts={acts}
          passwordKind="digits"
          offText={texts.appOff}
          removalEnds={texts.removalEnds}
          onSave={saveText}
        />
      </SettingsSection>
      <SettingsSection title={factorsMessages.passkeys} note={texts.passkeyNote}>
        <PasskeyFactor
          passkeys={passkeys}
          acts={acts}
          isSupported={canUsePasskeys()}
          removalEnds={texts.removalEnds}
        />
      </SettingsSection>
    </>
  );
}
