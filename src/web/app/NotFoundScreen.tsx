/** The 404 page: says what happened and leads home. */
import { messages } from '#contract/messages.ts';
import art from '#web/site/art/cover-guides.svg';
import { Button } from '#web/ui/Button.tsx';
import './NotFoundScreen.css';

export function NotFoundScreen() {
  return (
    <section className="NotFound">
      <img src={art} alt="" width={640} height={400} />
      <div>
        <h1>{messages.app.notFoundTitle}</h1>
        <p>{messages.app.notFoundText}</p>
        <Button to="/">{messages.app.backToHome}</Button>
      </div>
    </section>
  );
}
