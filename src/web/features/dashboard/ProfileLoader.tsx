/** Placeholders instead of a screen while the profile loads; a short wait shows nothing. */
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './ProfileLoader.css';

export function ProfileLoader() {
  return (
    <div className="ProfileLoader">
      <Skeleton kind="card" label={words.loading} />
      <div aria-hidden="true">
        <Skeleton kind="rows" label={words.loading} />
      </div>
    </div>
  );
}
