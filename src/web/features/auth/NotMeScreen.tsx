/**
 * "This wasn't me" of the welcome mail: removes a registration that another person made with the reader's email. Nothing
 * happens until the button is pressed, so programs that open links in mails change nothing.
 */

import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { type CallError, isUncertain } from '#web/base/callError.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { useLocation } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { AuthPage } from './AuthPage.tsx';
import { useRemoveRegistrationMutation } from './authCalls.ts';
import { notMeText, unsureTitle } from './authTexts.ts';
import { refusalText } from './refusalText.ts';
import './NotMeScreen.css';

export function NotMeScreen() {
  // The token is in the fragment, which browsers send to no server.
  const token = useLocation().hash.slice(1);
  const [remove, { data, error, isLoading }] = useRemoveRegistrationMutation();
  // A link that no longer works cannot be tried again.
  const isRefused =
    error !== undefined && [400, 403, 404, 409].includes((error as CallError).status as number);
  return (
    <AuthPage quote={notMeText.quote} promise={notMeText.promise} foot={<WasMe />}>
      <h1 className="type-title">{notMeText.title}</h1>
      <p className="type-small">{notMeText.lead}</p>
      {data && (
        <Banner kind="success" title={notMeText.doneTitle}>
          {data.message}
        </Banner>
      )}
      {error !== undefined && (
        <Banner kind="error" title={isUncertain(error as CallError) ? unsureTitle : notMeText.failedTitle}>
          {refusalText(error, errorMessages.fault)}
        </Banner>
      )}
      <div className="NotMeScreen-action">
        {data || isRefused ? (
          <Button to="/" kind="quiet" wide>
            {appMessages.backToHome}
          </Button>
        ) : (
          <WhenHydrated>
            <Button kind="danger" wide busy={isLoading} onClick={() => remove({ body: { token } })}>
              {notMeText.remove}
            </Button>
          </WhenHydrated>
        )}
      </div>
    </AuthPage>
  );
}

function WasMe() {
  return (
    <>
      {notMeText.wasMe}{' '}
      <Link className="link" to="/login">
        {authMessages.login}
      </Link>
    </>
  );
}
