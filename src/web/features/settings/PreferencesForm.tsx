/** For each kind of event: whether it shows in the app, and how it is mailed. Everything is saved together. */
import { type SubmitEvent, useId, useState } from 'react';
import {
  type MailPreference,
  mailChoices,
  type PreferenceKind,
  type Preferences,
  preferenceKinds,
  preferencesApi,
} from '#contract/preferences.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { differ } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import type { ActedOn } from '#web/base/useActs.ts';
import { SelectField } from '#web/ui/SelectField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { usePreferencesQuery, useSetPreferencesMutation } from './preferencesCalls.ts';
import { SaveButton } from './SaveButton.tsx';
import { type OnEdited, useEdited } from './useEdited.ts';
import { useFormSave } from './useFormSave.ts';
import { useNewlySaved } from './useNewlySaved.ts';
import { words } from './words.ts';
import './PreferencesForm.css';

const texts = words.preferences;

export function PreferencesForm({ onEdited }: { onEdited: OnEdited }) {
  const { data, isError, refetch } = usePreferencesQuery();
  if (data) return <LoadedForm saved={data} refetch={refetch} onEdited={onEdited} />;
  return isError ? (
    <LoadFailed title={texts.failed} onRetry={refetch} />
  ) : (
    <Skeleton kind="text" count={6} label={texts.loading} />
  );
}

type LoadedFormProps = {
  saved: Preferences;
  refetch: ActedOn<Preferences>['refetch'];
  onEdited: OnEdited;
};

function LoadedForm({ saved, refetch, onEdited }: LoadedFormProps) {
  const frozen = useAppSelector(selectCustomer)?.isFrozen;
  const [chosen, setChosen] = useState(saved);
  useNewlySaved(saved, () => setChosen(saved));
  const [setPreferences] = useSetPreferencesMutation();
  const { save, isSaving } = useFormSave({ data: saved, refetch }, preferencesApi.setPreferences.message);
  useEdited('preferences', differ(chosen, saved), onEdited);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save(chosen, setPreferences);
  };
  return (
    <form className="PreferencesForm" method="dialog" onSubmit={submit}>
      <div className="PreferencesForm-kinds">
        {preferenceKinds.map(kind => (
          <Kind
            key={kind}
            kind={kind}
            chosen={chosen[kind]}
            onChange={change => setChosen(before => ({ ...before, [kind]: { ...before[kind], ...change } }))}
            disabled={frozen}
          />
        ))}
      </div>
      <SaveButton frozen={frozen} busy={isSaving} />
    </form>
  );
}

type KindProps = {
  kind: PreferenceKind;
  chosen: Preferences[PreferenceKind];
  onChange: (change: { bell: boolean } | { mail: MailPreference }) => void;
  disabled: boolean | undefined;
};

function Kind({ kind, chosen, onChange, disabled }: KindProps) {
  const titleId = useId();
  const { title, text } = texts.kinds[kind];
  return (
    <fieldset className="PreferencesForm-kind" aria-labelledby={titleId}>
      <div className="PreferencesForm-what">
        <h3 id={titleId}>{title}</h3>
        <p className="type-small">{text}</p>
      </div>
      <Switch
        checked={chosen.bell}
        onChange={bell => onChange({ bell })}
        name={title}
        label={chosen.bell ? texts.bellOn : texts.bellOff}
        disabled={disabled}
      />
      <SelectField
        label={`${texts.mail}: ${title}`}
        hideLabel
        value={chosen.mail}
        onChange={value => onChange({ mail: value as MailPreference })}
        options={mailChoices(kind).map(value => ({ value, label: texts.mails[value] }))}
        disabled={disabled}
      />
    </fieldset>
  );
}
