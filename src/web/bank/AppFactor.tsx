/** The authenticator app in the security settings: its state, and the ways to set it up, renew its codes and remove it. */
import { useRef, useState } from 'react';
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { recoveryCodes } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { sectionTitle } from '#web/ui/sectionTitle.ts';
import { useInView } from '#web/ui/useInView.ts';
import { AppCodeDialog } from './AppCodeDialog.tsx';
import { AppSetupDialog } from './AppSetupDialog.tsx';
import { ConfirmsFrom } from './ConfirmsFrom.tsx';
import type { AppFactorProps } from './factors.ts';
import * as texts from './factorTexts.ts';
import { LoadFailed } from './LoadFailed.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import './AppFactor.css';

type Open =
  | { dialog: 'set-up'; started: { secret: string; uri: string } }
  | { dialog: 'codes'; codes: string[] }
  | { dialog: 'renew' | 'remove' };

export function AppFactor({ app, acts, passwordKind, offText, removalEnds, onSave }: AppFactorProps) {
  const [open, setOpen] = useState<Open>();
  const [failed, setFailed] = useState('');
  const [busy, setBusy] = useState(false);
  /** The app was turned on, but the answer with its recovery codes was lost. */
  const [hasUnseenCodes, setHasUnseenCodes] = useState(false);
  const isUnseen = hasUnseenCodes && app.data?.isEnabled === true;
  const unseen = useInView(isUnseen);
  const close = () => setOpen(undefined);
  const place = useRef<HTMLDivElement>(null);
  // Gets the focus after a change, because the button that was pressed for it disappears.
  const heading = sectionTitle(place);
  const start = async () => {
    setFailed('');
    setBusy(true);
    const outcome = await acts.startApp();
    setBusy(false);
    if ('error' in outcome) return setFailed(outcome.error);
    setOpen({ dialog: 'set-up', started: outcome.data });
  };
  if (!app.data) {
    return app.isError ? (
      <LoadFailed title={texts.loadFailed} onRetry={app.refetch} />
    ) : (
      <Skeleton kind="text" count={2} label={texts.loading} />
    );
  }
  const { isEnabled, enabledAt, confirmsFrom, recoveryCodesLeft } = app.data;
  const { count } = recoveryCodes;
  // The answer with all codes can have been lost, which a reload forgets.
  const left = fill(recoveryCodesLeft < count ? texts.codesLeft : texts.allCodesLeft, {
    n: recoveryCodesLeft,
    count,
  });
  return (
    <div ref={place} className="AppFactor">
      {isEnabled && enabledAt ? (
        <p>
          <Badge kind="verified">
            {fill(texts.appOn, { day: nameOfDay(calendarDay(new Date(enabledAt))) })}
          </Badge>
        </p>
      ) : (
        <p>{offText}</p>
      )}
      {confirmsFrom && <ConfirmsFrom from={confirmsFrom} />}
      {isUnseen ? (
        <div ref={unseen}>
          <Banner kind="warning" title={texts.codesUnseen} />
        </div>
      ) : (
        isEnabled &&
        (recoveryCodesLeft > 2 ? (
          <p className="type-small">{left}</p>
        ) : (
          <Banner kind="warning" title={left} />
        ))
      )}
      {failed && <Banner kind="error" title={failed} />}
      <div className="AppFactor-actions">
        {isEnabled ? (
          <>
            <Button kind="quiet" onClick={() => setOpen({ dialog: 'renew' })}>
              {texts.newCodes}
            </Button>
            <Button kind="quiet" icon="trash" onClick={() => setOpen({ dialog: 'remove' })}>
              {texts.removeApp}
            </Button>
          </>
        ) : (
          <Button icon="mobile" busy={busy} onClick={() => void start()}>
            {texts.setUp}
          </Button>
        )}
      </div>
      {open?.dialog === 'set-up' && (
        <AppSetupDialog
          started={open.started}
          app={app}
          acts={acts}
          heading={heading}
          onClose={close}
          onConfirmed={codes => {
            setHasUnseenCodes(codes === undefined);
            setOpen(codes && { dialog: 'codes', codes });
          }}
        />
      )}
      {open?.dialog === 'codes' && (
        <Dialog
          open
          onClose={close}
          dismissible={false}
          finalFocus={heading}
          title={texts.codesTitle}
          description={texts.codesText}
          actions={<Button onClick={close}>{texts.savedThem}</Button>}
        >
          <RecoveryCodes codes={open.codes} onSave={onSave} />
        </Dialog>
      )}
      {open?.dialog === 'renew' && (
        <AppCodeDialog
          title={texts.renewTitle}
          text={texts.renewText}
          label={texts.codeFromApp}
          submit={texts.newCodes}
          onClose={close}
          onSubmit={async (_, code) => {
            const outcome = await acts.renewCodes(code);
            if ('data' in outcome) {
              setHasUnseenCodes(false);
              setOpen({ dialog: 'codes', codes: outcome.data });
            }
            const isUnknown = 'error' in outcome && outcome.isUnknown;
            return isUnknown ? { ...outcome, error: texts.renewUnknown } : outcome;
          }}
        />
      )}
      {open?.dialog === 'remove' && (
        <AppCodeDialog
          title={texts.removeAppTitle}
          text={`${texts.removeAppText} ${removalEnds}`}
          label={texts.appOrRecovery}
          submit={texts.removeApp}
          danger
          heading={heading}
          passwordKind={passwordKind}
          onClose={close}
          onSubmit={async (password, code) => {
            const outcome = await acts.removeApp(password, code);
            if ('data' in outcome) {
              setHasUnseenCodes(false);
              close();
            }
            return outcome;
          }}
        />
      )}
    </div>
  );
}
