/** The page of "This wasn't me" in the welcome mail: removes a registration that another person made with this email. */
import { useRemoveRegistrationMutation } from './authCalls.ts';
import { LinkScreen } from './LinkScreen.tsx';
import { notMeText } from './notMeText.ts';

export function NotMeScreen() {
  const [remove] = useRemoveRegistrationMutation();
  return <LinkScreen texts={notMeText} onPress={token => remove({ body: { token } })} />;
}
