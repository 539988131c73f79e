/** A message above the content it belongs to: what happened, whether money moved, what to do. Announced when it appears. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import './Banner.css';

export type BannerKind = 'error' | 'warning' | 'success' | 'info';

export type BannerProps = {
  kind: BannerKind;
  title: ReactNode;
  /** Replaces the kind's own icon. */
  icon?: IconName | undefined;
  children?: ReactNode;
  /** A button or link at the end. */
  action?: ReactNode;
  /** Adds a close button with this label. */
  dismiss?: { label: string; onPress: () => void } | undefined;
  className?: string | undefined;
};

const icons: Record<BannerKind, IconName> = {
  error: 'alert',
  warning: 'clock',
  success: 'check',
  info: 'info',
};

export function Banner({
  kind,
  title,
  icon = icons[kind],
  children,
  action,
  dismiss,
  className,
}: BannerProps) {
  return (
    <div
      className={classNames('Banner', `Banner--${kind}`, className)}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <Icon name={icon} />
      <div className="Banner-body">
        <div className="Banner-text">
          <b>{title}</b>
          {children && <div>{children}</div>}
        </div>
        {action && <div className="Banner-action">{action}</div>}
      </div>
      {dismiss && (
        <button type="button" className="Banner-dismiss" aria-label={dismiss.label} onClick={dismiss.onPress}>
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  );
}
