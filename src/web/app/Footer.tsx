/** The footer of every public page: about the bank, links, the notice about insurance, theme switch, back to top. */

import { bank } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { Logo } from '#web/bank/Logo.tsx';
import { insuranceNotice } from '#web/base/insuranceNotice.ts';
import { Link } from '#web/router/Link.tsx';
import { footerText } from '#web/site/content/frame.ts';
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx';
import { BackToTop } from './BackToTop.tsx';
import './Footer.css';

export function Footer() {
  return (
    <footer className="Footer">
      <Logo form="mark" label="" className="Footer-flower" />
      <div className="Footer-inside">
        <div className="Footer-columns">
          <div>
            <Link className="Footer-brand" to="/" aria-label={bank.name}>
              <Logo label="" />
            </Link>
            <p>{footerText.story}</p>
          </div>
          {footerText.columns.map(column => (
            <nav key={column.title} aria-label={column.title}>
              <h2>{column.title}</h2>
              <ul>
                {column.links.map(link => (
                  <li key={link.to} className={link.to === '/register' ? 'only-visitor' : undefined}>
                    <Link to={link.to}>{link.label}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className="Footer-insurance">{insuranceNotice}</p>
        <div className="Footer-end">
          <span>{footerText.imprint}</span>
          <ThemeSwitch texts={appMessages.appearance} className="needs-script" />
          <BackToTop />
        </div>
      </div>
    </footer>
  );
}
