/** The button above a step's title that goes back to the previous step. */
import * as appMessages from '#contract/messages/app.ts';
import { Icon } from '#web/ui/Icon.tsx';
import './BackButton.css';

export function BackButton({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className="BackButton" onClick={onPress}>
      <Icon name="left" size={16} />
      {appMessages.back}
    </button>
  );
}
