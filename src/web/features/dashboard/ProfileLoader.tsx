/** In a screen's place while the profile is fetched; a wait too short to notice shows nothing. */
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
