/** "This wasn't me" of the welcome mail: removes a registration that another person made with the reader's email. */
import { useRemoveRegistrationMutation } from './authCalls.ts';
import { LinkScreen } from './LinkScreen.tsx';
import { notMeText } from './notMeText.ts';

export function NotMeScreen() {
  const [remove] = useRemoveRegistrationMutation();
  return <LinkScreen texts={notMeText} onPress={token => remove({ body: { token } })} />;
}
