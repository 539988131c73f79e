/**
 * What every field has around its control: label, optional mark, hint, live status and error, tied to the control by ids.
 * An error replaces the hint and is announced when it appears; the place of what was said is kept, so that mending moves nothing.
 */
import { type ReactNode, useId } from 'react';
import { classNames } from './classNames.ts';
import { Icon } from './Icon.tsx';
import { useKeptHeight } from './useKeptHeight.ts';
import './Field.css';

/** What a control needs to belong to its field; spread it on the input. */
export type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** The props that every field of the family shares. */
export type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** The word that marks the field as optional. */
  optional?: string | undefined;
  /** Stands at the label's end, and after the control for the Tab key: a link such as 'Forgot your password?'. */
  aside?: ReactNode;
  /** A live line under the control: 'Verifying account...', the holder's name. Announced politely. */
  status?: ReactNode;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
};

export type FieldProps = FieldTexts & {
  id?: string | undefined;
  children: (control: FieldControl) => ReactNode;
};

export function Field(props: FieldProps) {
  const { label, hint, error, optional, aside, status, hideLabel, className, id: givenId, children } = props;
  const ownId = useId();
  const id = givenId ?? ownId;
  const notes = useKeptHeight<HTMLDivElement>([hint, error, status]);
  const described = [error ? `${id}-error` : hint && `${id}-hint`, status && `${id}-status`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={classNames('Field', Boolean(error) && 'Field--bad', className)}>
      <div className={hideLabel ? 'sr-only' : 'Field-top'}>
        <label htmlFor={id}>{label}</label>
        {optional && <span className="Field-optional">{optional}</span>}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {aside && <div className="Field-aside">{aside}</div>}
      <div ref={notes} className="Field-notes">
        {hint && !error && (
          <p className="Field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        <div role="alert" className="Field-live">
          {error && (
            <p className="Field-error" id={`${id}-error`}>
              <Icon name="alert" size={16} />
              <span>{error}</span>
            </p>
          )}
        </div>
        {status !== undefined && (
          <div role="status" className="Field-live" id={`${id}-status`}>
            {status}
          </div>
        )}
      </div>
    </div>
  );
}
