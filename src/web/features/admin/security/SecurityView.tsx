/** The administrator's own authenticator app and passkeys. */
import * as adminMessages from '#contract/messages/admin.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { AppFactor } from '#web/bank/AppFactor.tsx';
import * as texts from '#web/bank/factorTexts.ts';
import { PasskeyFactor } from '#web/bank/PasskeyFactor.tsx';
import { factorActs } from '#web/base/factorActs.ts';
import { canUsePasskeys } from '#web/base/passkeys.ts';
import { saveText } from '#web/base/saveFile.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
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
import './SecurityView.css';

export function SecurityView({ menu }: ViewProps) {
  const app = useAdminAppQuery();
  const passkeys = useAdminPasskeysQuery();
  const [startApp] = useAdminStartAppMutation();
  const [confirmApp] = useAdminConfirmAppMutation();
  const [renewCodes] = useAdminRenewRecoveryCodesMutation();
  const [removeApp] = useAdminRemoveAppMutation();
  const [passkeyOptions] = useAdminPasskeyOptionsMutation();
  const [addPasskey] = useAdminAddPasskeyMutation();
  const [removePasskey] = useAdminRemovePasskeyMutation();
  const acts = factorActs(
    { startApp, confirmApp, renewCodes, removeApp, passkeyOptions, addPasskey, removePasskey },
    texts.actTexts,
  );
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.security} />
      <div className="SecurityView">
        {app.data?.mustEnroll && <Banner kind="warning" title={texts.mustEnroll} />}
        <Panel labelledBy="security-app">
          <h2 className="type-head" id="security-app">
            {factorsMessages.app}
          </h2>
          <p className="type-note">{texts.appNoteAdmin}</p>
          <AppFactor
            app={{ data: app.data, isError: app.isError, onRetry: app.refetch }}
            acts={acts}
            passwordKind="text"
            offText={texts.appOffAdmin}
            onSave={saveText}
          />
        </Panel>
        <Panel labelledBy="security-passkeys">
          <h2 className="type-head" id="security-passkeys">
            {factorsMessages.passkeys}
          </h2>
          <p className="type-note">{texts.passkeyNote}</p>
          <PasskeyFactor
            passkeys={{ data: passkeys.data, isError: passkeys.isError, onRetry: passkeys.refetch }}
            acts={acts}
            isSupported={canUsePasskeys()}
          />
        </Panel>
      </div>
    </>
  );
}
