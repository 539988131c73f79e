/** One icon of the bank's own set, in the color of the text around it. Decorative unless it has a label. */
import { iconPaths } from './iconPaths.ts';
import './Icon.css';

export type IconName = keyof typeof iconPaths;

export type IconProps = {
  name: IconName;
  size?: 16 | 18 | 20 | 22 | 24 | undefined;
  label?: string | undefined;
};

export function Icon({ name, size = 20, label }: IconProps) {
  return (
    <svg
      className="Icon"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
