/** What happens after registering, on the night sheet next to the form. */
import { useId } from 'react';
import { registerText } from './authTexts.ts';
import './NextSteps.css';

export function NextSteps() {
  const titleId = useId();
  return (
    <section className="NextSteps" aria-labelledby={titleId}>
      <h2 id={titleId}>{registerText.stepsTitle}</h2>
      <ol>
        {registerText.steps.map(({ title, text }) => (
          <li key={title}>
            <b>{title}</b>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
