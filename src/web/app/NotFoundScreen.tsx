/** The 404 page: says what happened and links to the home page. */
import * as appMessages from '#contract/messages/app.ts';
import art from '#web/site/art/cover-guides.svg';
import { PageTitle } from '#web/site/PageTitle.tsx';
import { Button } from '#web/ui/Button.tsx';
import '#web/site/site.css';
import './NotFoundScreen.css';

export function NotFoundScreen() {
  return (
    <div className="Site">
      <PageTitle heading={appMessages.notFoundTitle} lead={appMessages.notFoundText} picture={art}>
        <p className="NotFoundScreen-way">
          <Button to="/">{appMessages.backToHome}</Button>
        </p>
      </PageTitle>
    </div>
  );
}
