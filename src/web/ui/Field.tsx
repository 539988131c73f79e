/**
 * The parts around every field's control, linked to it by ids: label, optional mark, hint, live status and error. An error
 * replaces the hint and is announced when it appears. The message keeps its height, so that fixing the error moves nothing.
 */
import { type ReactNode, useId } from 'react';
import { classNames } from './classNames.ts';
import { Icon } from './Icon.tsx';
import { useKeptHeight } from './useKeptHeight.ts';
import './Field.css';

/** The attributes that link a control to its field; spread them on the input. */
export type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** Props shared by all fields. */
export type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** The word that marks the field as optional. */
  optional?: string | undefined;
  /** At the label's end, but after the control in tab order: a link such as 'Forgot your password?'. */
  aside?: ReactNode;
  /** A live line under the control: 'Verifying account...', the holder's name. Announced politely. */
  status?: ReactNode;
  /** Hides the label visually; screen readers still read it. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
};

type Named = FieldTexts & { id?: string | undefined };

export type FieldProps = Named & {
  children: (control: FieldControl) => ReactNode;
};

/** Splits the props of a field component into those of `Field` and those of the control. */
export function splitProps<Props extends Named>(props: Props) {
  const { label, hint, error, optional, aside, status, hideLabel, className, id, ...control } = props;
  return [{ label, hint, error, optional, aside, status, hideLabel, className, id }, control] as const;
}

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
