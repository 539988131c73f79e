/** Acting on the work of a colleague: exceptions of the payment rail, alerts and contact messages. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Tx } from '../db/database.ts';

/**
 * Refuses `CONFLICT` if a colleague other than `takenFrom` owns a locked row: that colleague took it after `adminId` loaded the
 * screen. `isAssigning`: whether the act only assigns the row to `adminId`. After any other act, the refusal says to press the
 * button again.
 */
export async function refuseIfTaken(
  tx: Tx,
  owner: string | null,
  {
    adminId,
    takenFrom,
    isAssigning = false,
  }: { adminId: string; takenFrom: string | undefined; isAssigning?: boolean },
): Promise<void> {
  if (owner === null || owner === adminId || owner === takenFrom) return;
  const found = await sql<{ name: string }>`SELECT name FROM admins WHERE id = ${owner}`.execute(tx);
  const { name } = found.rows[0]!;
  throw new Refusal('CONFLICT', {
    message: fill(isAssigning ? staffMessages.takenBy : staffMessages.takenButPressAgain, { name }),
    data: { owner: { _id: owner, name } },
  });
}
