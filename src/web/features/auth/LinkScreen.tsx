/**
 * The page of a one-time link in a mail: one button does what the link is for. Nothing happens until it is pressed, so programs
 * that open links in mails change nothing.
 */
import { type ReactNode, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { PhoneText } from '#web/bank/PhoneText.tsx';
import { type CallError, isUncertain } from '#web/base/callError.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { useLocation } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { AuthPage } from './AuthPage.tsx';
import { refusalText } from './refusalText.ts';
import './LinkScreen.css';

type Answer = { data?: { message: string } | undefined; error?: unknown };

export type LinkScreenProps = {
  texts: {
    title: string;
    /** Replaces `title`, which asks a question, once the link is refused. */
    refusedTitle: string;
    lead: string;
    press: string;
    doneTitle: string;
    failedTitle: string;
    /** The answer was lost. */
    unknownTitle: string;
    /** Refused, after the answer to an earlier press was lost. */
    earlierTitle: string;
    quote: string;
    promise: string;
    wasMe: string;
  };
  /** Called with the token of the link. */
  onPress: (token: string) => Promise<Answer>;
  /** Shown after success, instead of the way back to the home page. */
  next?: ReactNode;
  /** What the refusal with this message advises. It says that an earlier press did what the link is for. */
  advised?: { message: string; action: ReactNode };
};

export function LinkScreen(props: LinkScreenProps) {
  // The token is in the fragment, which browsers send to no server. Another link in the same tab does not reload the page.
  const token = useLocation().hash.slice(1);
  return <OneLink key={token} token={token} {...props} />;
}

function OneLink({ texts, onPress, next, advised, token }: LinkScreenProps & { token: string }) {
  // Kept here, because a logout clears the mutation's own state: the link can log out another tab, which logs out this one.
  const [{ data, error }, setAnswer] = useState<Answer>({});
  const [isBusy, setBusy] = useState(false);
  const [wasLost, setWasLost] = useState(false);
  const isLost = error !== undefined && isUncertain(error as CallError);
  // Whether the link no longer works. Then the button is gone.
  const isRefused =
    error !== undefined && [400, 403, 404, 409].includes((error as CallError).status as number);
  const isAdvised = advised !== undefined && advised.message === (error as CallError | undefined)?.message;
  const press = async () => {
    setWasLost(wasLost || isLost);
    setAnswer({});
    setBusy(true);
    setAnswer(await onPress(token));
    setBusy(false);
  };
  const earlierTitle = isAdvised ? texts.doneTitle : texts.earlierTitle;
  return (
    <AuthPage
      quote={texts.quote}
      promise={texts.promise}
      foot={
        !data && (
          <>
            {error === undefined && <>{texts.wasMe} </>}
            <Link className="link" to="/login">
              {authMessages.login}
            </Link>
          </>
        )
      }
    >
      <h1 className="type-title">{data ? texts.doneTitle : isRefused ? texts.refusedTitle : texts.title}</h1>
      {data && <Banner kind="success" title={data.message} />}
      {!data && !isRefused && <p className="type-small">{texts.lead}</p>}
      {error !== undefined && (
        <Banner
          kind={isLost || wasLost ? 'warning' : 'error'}
          title={isLost ? texts.unknownTitle : wasLost ? earlierTitle : texts.failedTitle}
        >
          <PhoneText>{refusalText(error, errorMessages.fault)}</PhoneText>
        </Banner>
      )}
      {data && next && <div className="LinkScreen-next">{next}</div>}
      {isAdvised && <div className="LinkScreen-next">{advised.action}</div>}
      <div className="LinkScreen-action">
        {isRefused && (
          <Button to="/contact" kind="quiet" wide>
            {navMessages.askHelpDesk}
          </Button>
        )}
        {data && !next && (
          <Button to="/" kind="quiet" wide>
            {appMessages.backToHome}
          </Button>
        )}
        {!data && !isRefused && (
          <WhenHydrated>
            <Button kind="danger" wide busy={isBusy} onClick={() => void press()}>
              {texts.press}
            </Button>
          </WhenHydrated>
        )}
      </div>
    </AuthPage>
  );
}
