/** The link back to the top of a public page. A plain link, so it works before hydration. */
import { footerText } from '#web/site/content/frame.ts';
import { Icon } from '#web/ui/Icon.tsx';
import './BackToTop.css';

export function BackToTop() {
  return (
    <a className="BackToTop" href="#top">
      <Icon name="up" size={18} />
      {footerText.backToTop}
    </a>
  );
}
