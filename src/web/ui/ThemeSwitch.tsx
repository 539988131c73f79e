/** System, light or dark: a small radio group of three icons, remembered on this device. */
import { useId, useSyncExternalStore } from 'react';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import { applyTheme, storedTheme, subscribeToTheme, type Theme } from './theme.ts';
import './ThemeSwitch.css';

// Here and not among the parts' words, which public pages do not carry.
const choices: { theme: Theme; icon: IconName; name: string }[] = [
  { theme: 'system', icon: 'system', name: 'System' },
  { theme: 'light', icon: 'sun', name: 'Light' },
  { theme: 'dark', icon: 'moon', name: 'Dark' },
];

const systemOnServer = (): Theme => 'system';

export type ThemeSwitchProps = { label?: string | undefined; className?: string | undefined };

export function ThemeSwitch({ label = 'Appearance', className }: ThemeSwitchProps) {
  const theme = useSyncExternalStore(subscribeToTheme, storedTheme, systemOnServer);
  const name = useId();
  return (
    <fieldset className={classNames('ThemeSwitch', className)}>
      <legend className="sr-only">{label}</legend>
      <div className="ThemeSwitch-row">
        {choices.map(choice => (
          <label key={choice.theme} title={choice.name}>
            <input
              type="radio"
              name={name}
              aria-label={choice.name}
              checked={theme === choice.theme}
              onChange={() => applyTheme(choice.theme)}
            />
            <Icon name={choice.icon} size={18} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
