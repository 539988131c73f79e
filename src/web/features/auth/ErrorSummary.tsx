/** Summarizes the registration's errors in one sentence, with a link to each field. It takes the focus when it appears. */
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
  /** The fields that still have an error, in the form's order. */
  fields: LinkedField[];
  /** Increases with each refusal; each one moves the focus here again. */
  attempt: number;
};

const [missingBefore = '', missingAfter = ''] = registerMessages.missing.split('{list}');

export function ErrorSummary({ sentence, errors, fields, attempt }: ErrorSummaryProps) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes the focus again
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'start' });
  }, [attempt]);

  // The sentence about missing fields names them already, so the names themselves are the links.
  const missing = fields.filter(({ id }) => errors[id] === registerText.missing);
  const broken = fields.filter(({ id }) => errors[id] !== registerText.missing);
  const [first] = broken;
  // Whether the sentence still applies: the field that it is about may have been corrected.
  const isCurrent = !first || Object.values(errors).includes(sentence);
  const title =
    missing.length === 0 ? (
      isCurrent ? (
        sentence
      ) : (
        errors[first.id]
      )
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

/** Scrolls to a field and focuses it. */
function goTo(id: string) {
  const found = document.getElementById(id);
  const control = found?.matches('input') ? found : found?.querySelector<HTMLElement>('input');
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
}
