/** A person's picture, or the initials if there is none or it fails to load. */
import { useState } from 'react';
import { classNames } from './classNames.ts';
import './Avatar.css';

export type AvatarProps = {
  src?: string | undefined;
  firstName: string;
  lastName: string;
  /** 32, 40, 72 or 96 px. */
  size?: 's' | 'm' | 'l' | 'xl' | undefined;
  /** The name is next to it, so screen readers skip it. */
  decorative?: boolean | undefined;
};

const pixels = { s: 32, m: 40, l: 72, xl: 96 };

export function Avatar({ src, firstName, lastName, size = 'm', decorative }: AvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const name = `${firstName} ${lastName}`.trim();
  const look = classNames('Avatar', `Avatar--${size}`);
  if (src && src !== brokenSrc) {
    return (
      <img
        className={look}
        src={src}
        alt={decorative ? '' : name}
        width={pixels[size]}
        height={pixels[size]}
        onError={() => setBrokenSrc(src)}
      />
    );
  }
  const initials = `${initialOf(firstName)}${initialOf(lastName)}`.toUpperCase();
  return decorative ? (
    <span className={look} aria-hidden="true">
      {initials}
    </span>
  ) : (
    <span className={look} role="img" aria-label={name}>
      {initials}
    </span>
  );
}

/** The first letter, digit or emoji: a nickname can contain any characters. */
const initialOf = (name: string): string => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.exec(name)?.[0] ?? '';
