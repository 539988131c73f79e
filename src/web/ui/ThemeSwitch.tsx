/** System, light or dark: a small radio group of three icons; the choice is stored on this device. */
import { useId, useSyncExternalStore } from 'react';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import { applyTheme, storedTheme, subscribeToTheme, type Theme } from './theme.ts';
import './ThemeSwitch.css';

const choices: { theme: Theme; icon: IconName }[] = [
  { theme: 'system', icon: 'system' },
  { theme: 'light', icon: 'sun' },
  { theme: 'dark', icon: 'moon' },
];

const systemOnServer = (): Theme => 'system';

export type ThemeSwitchProps = {
  /** The labels of the group and of each theme. */
  texts: Readonly<Record<Theme | 'label', string>>;
  className?: string | undefined;
};

export function ThemeSwitch({ texts, className }: ThemeSwitchProps) {
  const theme = useSyncExternalStore(subscribeToTheme, storedTheme, systemOnServer);
  const name = useId();
  return (
    <fieldset className={classNames('ThemeSwitch', className)}>
      <legend className="sr-only">{texts.label}</legend>
      <div className="ThemeSwitch-row">
        {choices.map(choice => (
          <label key={choice.theme} title={texts[choice.theme]}>
            <input
              type="radio"
              name={name}
              aria-label={texts[choice.theme]}
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
