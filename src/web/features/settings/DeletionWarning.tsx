/** One condition for deleting an account: its title, its state, and a link to resolve it. */
import { Link } from '#web/router/Link.tsx';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { words } from './words.ts';

export type DeletionWarningProps = {
  /**
   * `warning`: a fact to know, which is not a condition. `open`: the condition is not met. `unknown`: it is being checked, or
   * the check failed.
   */
  state: 'warning' | 'unknown' | 'open' | 'met';
  title: string;
  text: string;
  /** Shown only in the state `open`. */
  next?: { to: string; label: string } | undefined;
};

const icons: Record<DeletionWarningProps['state'], { name: IconName; label?: string }> = {
  warning: { name: 'alert' },
  unknown: { name: 'minus' },
  open: { name: 'clock', label: words.deletion.open },
  met: { name: 'check', label: words.deletion.met },
};

export function DeletionWarning({ state, title, text, next }: DeletionWarningProps) {
  return (
    <li className={`DeletionWarnings-${state}`}>
      <Icon {...icons[state]} size={18} />
      <div>
        <b>{title}</b>
        <p>
          <Ranges>{text}</Ranges>{' '}
          {state === 'open' && next && (
            <Link className="link" to={next.to}>
              {next.label}
            </Link>
          )}
        </p>
      </div>
    </li>
  );
}
