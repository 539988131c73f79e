/** What keeps the registration from being sent, in one sentence, with a way to each field. It takes the focus when it appears. */
import { Fragment, useEffect, useRef } from 'react';
import * as registerMessages from '#contract/messages/register.ts';
import type { FieldErrors } from '#web/base/formRules.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { registerText } from './authTexts.ts';
import './ErrorSummary.css';

type LinkedField = { id: string; label: string };

export type ErrorSummaryProps = {
  sentence: string;
  errors: FieldErrors;
  /** The fields that still have an error, in the order of the form. */
  fields: LinkedField[];
  /** Another refusal takes the focus again. */
  attempt: number;
};

const [missingBefore = '', missingAfter = ''] = registerMessages.missing.split('{list}');

export function ErrorSummary({ sentence, errors, fields, attempt }: ErrorSummaryProps) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes the focus anew
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'start' });
  }, [attempt]);

  // The sentence about missing fields names them already; there the names themselves are the way.
  const missing = fields.filter(({ id }) => errors[id] === registerText.missing);
  const broken = fields.filter(({ id }) => errors[id] !== registerText.missing);
  const title =
    missing.length === 0 ? (
      sentence
    ) : (
      <>
        {missingBefore}
        <FieldLinks fields={missing} />
        {missingAfter}
      </>
    );
  return (
    <div ref={place} tabIndex={-1} className="ErrorSummary">
      <Banner kind="error" title={title}>
        {broken.length > 0 && (
          <>
            {registerText.checkFields} <FieldLinks fields={broken} />
          </>
        )}
      </Banner>
    </div>
  );
}

function FieldLinks({ fields }: { fields: LinkedField[] }) {
  return fields.map(({ id, label }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <a
        href={`#${id}`}
        onClick={event => {
          event.preventDefault();
          goTo(id);
        }}
      >
        {label}
      </a>
    </Fragment>
  ));
}

/** Brings a field into sight and gives it the focus. */
function goTo(id: string) {
  const found = document.getElementById(id);
  const control = found?.matches('input') ? found : found?.querySelector<HTMLElement>('input');
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
}
