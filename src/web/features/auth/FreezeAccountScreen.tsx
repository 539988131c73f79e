/** The page of "This wasn't me" in a security mail: freezes the customer's account and ends all sessions, without a login. */
import * as limitsMessages from '#contract/messages/limits.ts';
import { PhoneText } from '#web/bank/PhoneText.tsx';
import { useFreezeByLinkMutation } from '#web/features/settings/limitsCalls.ts';
import { Button } from '#web/ui/Button.tsx';
import { freezeText } from './authTexts.ts';
import { LinkScreen } from './LinkScreen.tsx';

export function FreezeAccountScreen() {
  const [freeze] = useFreezeByLinkMutation();
  const newPassword = (
    <Button to="/forgot-password" wide>
      {freezeText.newPassword}
    </Button>
  );
  return (
    <LinkScreen
      texts={freezeText}
      onPress={token => freeze({ body: { token } })}
      next={
        <>
          {freezeText.next.map(paragraph => (
            <p key={paragraph} className="type-small">
              <PhoneText>{paragraph}</PhoneText>
            </p>
          ))}
          {newPassword}
        </>
      }
      advised={{ message: limitsMessages.linkUsed, action: newPassword }}
    />
  );
}
