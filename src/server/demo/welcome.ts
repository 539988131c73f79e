/** The lines that a server prints when it listens: its addresses, and the logins of the demo. */
import { bank } from '#contract/constants.ts';
import { type Config, hasInbox } from '../config.ts';
import { demoAdmin, demoCustomers, demoPassword } from './people.ts';

export function printWelcome(config: Config, publicUrl: string, port: number): void {
  const lines = ['', `${bank.name} is open.`, ''];
  const add = (name: string, value: string) => lines.push(`  ${name.padEnd(16)}${value}`);
  add('Bank', publicUrl);
  add('Administration', `${publicUrl}/admin/login`);
  if (hasInbox(config)) add('Mail', `${publicUrl}/dev/inbox`);
  add('API', `${publicUrl}/api/docs`);
  add('Listening', `${config.host}:${port}`);
  if (config.demo) {
    const place = hasInbox(config) ? 'on the mail page above' : 'by email';
    lines.push('', `  Customers log in with the password ${demoPassword}; their codes arrive ${place}:`);
    for (const { email, shows } of demoCustomers)
      if (shows !== undefined) lines.push(`    ${email.padEnd(46)}${shows}`);
    if (config.adminEmail === undefined)
      lines.push('', `  Administrator: ${demoAdmin.email}  ${demoAdmin.password}`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
