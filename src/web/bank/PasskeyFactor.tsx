/** The passkeys in the security settings: names and last uses, with the ways to add and remove one. */
import { type FormEvent, useId, useRef, useState } from 'react';
import { calendarDay, dayAndTime, nameOfDay } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import type { Passkey } from '#contract/factors.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { DeviceRow } from './DeviceRow.tsx';
import type { FactorActs, PasskeyFactorProps } from './factors.ts';
import * as texts from './factorTexts.ts';
import { LoadFailed } from './LoadFailed.tsx';
import './PasskeyFactor.css';

export function PasskeyFactor({ passkeys, acts, isSupported }: PasskeyFactorProps) {
  const [open, setOpen] = useState<'add' | Passkey>();
  const close = () => setOpen(undefined);
  const { data } = passkeys;
  if (!data) {
    return passkeys.isError ? (
      <LoadFailed title={texts.loadFailed} onRetry={passkeys.onRetry} />
    ) : (
      <Skeleton kind="rows" count={1} label={texts.loading} />
    );
  }
  return (
    <>
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
      {open === 'add' && <AddDialog onAdd={acts.addPasskey} onClose={close} />}
      {typeof open === 'object' && (
        <RemoveDialog passkey={open} onRemove={acts.removePasskey} onClose={close} />
      )}
    </>
  );
}

function AddDialog({ onAdd, onClose }: { onAdd: FactorActs['addPasskey']; onClose: () => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const formId = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Checked first, because the device would otherwise create a passkey that the bank then refuses.
    if (name.trim() === '') {
      setError(factorsMessages.passkeyNameMissing);
      return input.current?.focus();
    }
    setBusy(true);
    const outcome = await onAdd(name);
    setBusy(false);
    if ('error' in outcome) return setError(outcome.error);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={texts.addTitle}
      description={texts.addText}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button type="submit" form={formId} busy={busy} busyLabel={texts.adding}>
            {texts.add}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="PasskeyFactor-form"
        method="dialog"
        noValidate
        onSubmit={event => void submit(event)}
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
      </form>
    </Dialog>
  );
}

type RemoveDialogProps = { passkey: Passkey; onRemove: FactorActs['removePasskey']; onClose: () => void };

function RemoveDialog({ passkey, onRemove, onClose }: RemoveDialogProps) {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const outcome = await onRemove(passkey);
    setBusy(false);
    if ('error' in outcome) return setError(outcome.error);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={fill(texts.removeTitle, { name: passkey.name })}
      description={texts.removeText}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button kind="danger" busy={busy} busyLabel={texts.removing} onClick={() => void confirm()}>
            {texts.remove}
          </Button>
        </>
      }
    >
      {error && (
        <div className="PasskeyFactor-form">
          <Banner kind="error" title={error} />
        </div>
      )}
    </Dialog>
  );
}
