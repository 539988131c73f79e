/** Shown instead of a screen while the profile loads; a short wait shows nothing. */
import { Spinner } from '#web/ui/Spinner.tsx';
import { words } from './words.ts';
import './ProfileLoader.css';

export function ProfileLoader() {
  return (
    <p className="ProfileLoader" role="status">
      <Spinner />
      {words.loading}
    </p>
  );
}
