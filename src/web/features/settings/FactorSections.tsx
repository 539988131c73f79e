/** The sections 'Authenticator app' and 'Passkeys' of the security settings. Warns if staff will remove all factors. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import { AppFactor } from '#web/bank/AppFactor.tsx';
import * as texts from '#web/bank/factorTexts.ts';
import { PasskeyFactor } from '#web/bank/PasskeyFactor.tsx';
import { PhoneText } from '#web/bank/PhoneText.tsx';
import { factorActs } from '#web/base/factorActs.ts';
import { canUsePasskeys } from '#web/base/passkeys.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { saveText } from '#web/base/saveFile.ts';
import { Banner } from '#web/ui/Banner.tsx';
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
  const app = useAppQuery(undefined, pollingOptions);
  const { removalAt } = app.data ?? {};
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
    { app, passkeys },
    texts.actTexts,
  );
  return (
    <>
      {removalAt && (
        <Banner kind="warning" title={fill(texts.removalTitle, { time: dayAndTime(removalAt) })}>
          <PhoneText>{`${factorsMessages.stopRemoval} ${fill(texts.removalNotYou, { phone: bank.phone })}`}</PhoneText>
        </Banner>
      )}
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
