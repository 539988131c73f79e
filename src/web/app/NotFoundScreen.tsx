/** The 404 page: says what happened and leads home. */
import { messages } from '#contract/messages.ts';
import art from '#web/site/art/cover-guides.svg';
import { PageTitle } from '#web/site/PageTitle.tsx';
import { Button } from '#web/ui/Button.tsx';
import '#web/site/site.css';

export function NotFoundScreen() {
  return (
    <div className="Site">
      <PageTitle heading={messages.app.notFoundTitle} lead={messages.app.notFoundText} picture={art}>
        <p className="mt-8">
          <Button to="/">{messages.app.backToHome}</Button>
        </p>
      </PageTitle>
    </div>
  );
}
