/** The passkeys in the security settings: names and last uses, with the ways to add and remove one. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { calendarDay, dayAndTime, nameOfDay } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import type { Passkey } from '#contract/factors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { sectionTitle } from '#web/ui/sectionTitle.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { ConfirmsFrom } from './ConfirmsFrom.tsx';
import { DeviceRow } from './DeviceRow.tsx';
import { FormDialog, type FormFailure } from './FormDialog.tsx';
import type { FactorActs, PasskeyFactorProps } from './factors.ts';
import * as texts from './factorTexts.ts';
import { LoadFailed } from './LoadFailed.tsx';
import './PasskeyFactor.css';

export function PasskeyFactor({ passkeys, acts, isSupported, removalEnds }: PasskeyFactorProps) {
  const [open, setOpen] = useState<'add' | Passkey>();
  const close = () => setOpen(undefined);
  const place = useRef<HTMLDivElement>(null);
  const { data } = passkeys;
  if (!data) {
    return passkeys.isError ? (
      <LoadFailed title={texts.loadFailed} onRetry={passkeys.refetch} />
    ) : (
      <Skeleton kind="rows" count={1} label={texts.loading} />
    );
  }
  return (
    <div ref={place}>
      {data.length === 0 ? (
        <p>{texts.noPasskeys}</p>
      ) : (
        <ul className="PasskeyFactor" aria-label={texts.passkeys}>
          {data.map(passkey => (
            <DeviceRow
              key={passkey._id}
              icon="lock"
              name={passkey.name}
              facts={
                <>
                  <span>
                    {fill(texts.added, { day: nameOfDay(calendarDay(new Date(passkey.createdAt))) })}
                  </span>
                  <span>
                    {passkey.lastUsedAt
                      ? fill(texts.lastUsed, { when: dayAndTime(passkey.lastUsedAt) })
                      : texts.neverUsed}
                  </span>
                  {passkey.confirmsFrom && <ConfirmsFrom from={passkey.confirmsFrom} />}
                </>
              }
            >
              <Button
                kind="quiet"
                size="s"
                aria-label={fill(texts.removeNamed, { name: passkey.name })}
                onClick={() => setOpen(passkey)}
              >
                {texts.remove}
              </Button>
            </DeviceRow>
          ))}
        </ul>
      )}
      {isSupported ? (
        <Button className="PasskeyFactor-add" icon="plus" kind="quiet" onClick={() => setOpen('add')}>
          {texts.addPasskey}
        </Button>
      ) : (
        <p className="PasskeyFactor-add type-small">{texts.unsupported}</p>
      )}
      {open === 'add' && <AddDialog passkeys={passkeys} acts={acts} onClose={close} />}
      {typeof open === 'object' && (
        <RemoveDialog
          passkey={open}
          title={sectionTitle(place)}
          ends={removalEnds}
          onRemove={acts.removePasskey}
          onClose={close}
        />
      )}
    </div>
  );
}

type AddDialogProps = Pick<PasskeyFactorProps, 'passkeys' | 'acts'> & { onClose: () => void };

function AddDialog({ passkeys, acts, onClose }: AddDialogProps) {
  const count = passkeys.data?.length ?? 0;
  const [before] = useState(count);
  /** A press got no answer and may have added the passkey. */
  const [isUnheard, setIsUnheard] = useState(false);
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const [failed, setFailed] = useState<FormFailure>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isAdded = isUnheard && !busy && count > before;
  const closeLate = useEffectEvent(onClose);
  useEffect(() => {
    if (isAdded) closeLate();
  }, [isAdded]);
  const submit = async () => {
    setFailed(undefined);
    // Checked first, because the device would otherwise create a passkey that the bank then refuses.
    if (name.trim() === '') {
      setError(factorsMessages.passkeyNameMissing);
      return input.current?.focus();
    }
    setBusy(true);
    const outcome = await acts.addPasskey(name);
    const isUnknown = 'error' in outcome && outcome.isUnknown === true;
    const now = isUnknown ? await acts.readPasskeys() : undefined;
    setBusy(false);
    setIsUnheard(isUnheard || isUnknown);
    if ('data' in outcome || (now && now.length > before)) return onClose();
    const lost = now ? errorMessages.actUndone : errorMessages.actUnknown;
    setFailed({ text: isUnknown ? lost : outcome.error, isUnknown });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={texts.addTitle}
      description={texts.addText}
      submitLabel={texts.add}
      busy={busy}
      busyLabel={texts.adding}
      failed={failed}
      onSubmit={submit}
    >
      <TextField
        ref={input}
        label={texts.passkeyName}
        hint={texts.nameExample}
        maxLength={maxLength.passkeyName}
        autoComplete="off"
        value={name}
        onChange={typed => {
          setName(typed);
          setError('');
        }}
        error={error}
      />
    </FormDialog>
  );
}

type RemoveDialogProps = {
  passkey: Passkey;
  /** Gets the focus after the removal, because the button that opened the dialog disappears. */
  title: RefObject<HTMLElement | null>;
  ends: string;
  onRemove: FactorActs['removePasskey'];
  onClose: () => void;
};

function RemoveDialog({ passkey, title, ends, onRemove, onClose }: RemoveDialogProps) {
  const [failed, setFailed] = useState<FormFailure>();
  const [busy, setBusy] = useState(false);
  const { finalFocus, openerGoes } = useFinalFocus(title);
  const confirm = async () => {
    setBusy(true);
    const outcome = await onRemove(passkey);
    setBusy(false);
    if ('error' in outcome) return setFailed({ text: outcome.error, isUnknown: outcome.isUnknown === true });
    openerGoes();
    onClose();
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      startsAtCancel
      finalFocus={finalFocus}
      title={fill(texts.removeTitle, { name: passkey.name })}
      description={`${texts.removeText} ${ends}`}
      kind="danger"
      submitLabel={texts.remove}
      busy={busy}
      busyLabel={texts.removing}
      failed={failed}
      onSubmit={confirm}
    />
  );
}
