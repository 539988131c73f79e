/** The button in a customer's row that opens their details. */
import { Button } from '#web/ui/Button.tsx';
import { words } from '../words.ts';
import './ViewButton.css';

export type ViewButtonProps = { name: string; onPress: () => void };

export function ViewButton({ name, onPress }: ViewButtonProps) {
  return (
    <Button
      kind="text"
      size="s"
      className="ViewButton"
      aria-label={words.viewName(name)}
      title={words.viewName(name)}
      onClick={onPress}
    >
      {words.view}
    </Button>
  );
}
