/** How customers want to be notified. The choices are read at delivery, so that they cost no time in postings. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { NotificationKind } from '#contract/notifications.ts';
import {
  byDefault,
  type MailPreference,
  notificationsOf,
  type PreferenceKind,
  type Preferences,
  preferenceKinds,
} from '#contract/preferences.ts';
import type { Reader, Tx } from '../db/database.ts';

type Choices = z.output<typeof Preferences>;

/** A customer's choices, with the default for each kind without a choice. */
export async function readPreferences(reader: Reader, accountId: bigint): Promise<Choices> {
  const found = await sql<{ kind: PreferenceKind; bell: boolean; mail: MailPreference }>`
    SELECT kind, bell, mail FROM notification_preferences WHERE account_id = ${accountId}`.execute(reader);
  const chosen = Object.fromEntries(found.rows.map(({ kind, ...choice }) => [kind, choice]));
  return Object.fromEntries(preferenceKinds.map(kind => [kind, chosen[kind] ?? byDefault[kind]])) as Choices;
}

/** Replaces a customer's choices. */
export async function replacePreferences(tx: Tx, accountId: bigint, choices: Choices): Promise<void> {
  const all = preferenceKinds.map(kind => choices[kind]);
  await sql`
    INSERT INTO notification_preferences (account_id, kind, bell, mail)
    SELECT ${accountId}, kind, bell, mail
      FROM unnest(${preferenceKinds}::text[], ${all.map(({ bell }) => bell)}::boolean[],
                  ${all.map(({ mail }) => mail)}::text[]) AS choice(kind, bell, mail)
        ON CONFLICT (account_id, kind) DO UPDATE SET bell = excluded.bell, mail = excluded.mail`.execute(tx);
}

/** The customers of these accounts who chose to be notified of `kind`, which is off by default. */
export async function listOptedIn(
  reader: Reader,
  kind: 'statements',
  accountIds: bigint[],
): Promise<{ accountId: bigint; customerId: string; bell: boolean; mail: MailPreference }[]> {
  const found = await sql<{ accountId: bigint; customerId: string; bell: boolean; mail: MailPreference }>`
    SELECT p.account_id AS "accountId", c.id AS "customerId", p.bell, p.mail
      FROM notification_preferences p JOIN customers c ON c.account_id = p.account_id AND c.deleted_at IS NULL
     WHERE p.account_id = ANY (${accountIds}::bigint[]) AND p.kind = ${kind} AND (p.bell OR p.mail <> 'off')`.execute(
    reader,
  );
  return found.rows;
}

/** The notifications that a customer does not want to see in the app. */
export function hiddenNotifications(choices: Choices): NotificationKind[] {
  return preferenceKinds.flatMap(kind => (choices[kind].bell ? [] : [...notificationsOf[kind]]));
}
