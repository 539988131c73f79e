/** Handlers of the goals area. Each change is audited in the transaction that makes it. */
import type { goalsApi } from '#contract/goals.ts';
import { fingerprint } from '../base/uuid.ts';
import type { Handlers } from '../http/serve.ts';
import { moveGoal, openGoalAccount, readGoalMovement, readGoalMovements } from '../ledger/goals.ts';
import type { Parts } from '../parts.ts';
import { changeGoal, deleteGoal, findGoalAccount, insertGoal, readGoal, readGoals } from '../people/goals.ts';
import { recordCustomerAct } from './recordAct.ts';

export function goalsHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof goalsApi> {
  return {
    async listGoals({ customer }) {
      const goals = await readGoals(database.reader, customer.accountId);
      return { data: { saved: goals.reduce((sum, { saved }) => sum + saved, 0n), goals } };
    },

    async addGoal({ body, customer, idempotencyKey, address }) {
      const { customerId, accountId } = customer;
      const request = fingerprint(
        JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      );
      const key = idempotencyKey === undefined ? null : fingerprint('add goal', customerId, idempotencyKey);
      const data = await database.inTransaction(async tx => {
        const openAccount = () => openGoalAccount(tx, accountId);
        const { id, isNew } = await insertGoal(tx, customer, body, { key, request }, openAccount);
        if (isNew) await recordCustomerAct(tx, { customer, address }, 'goal.added', { goal: id });
        return await readGoal(tx, accountId, id);
      });
      return { data };
    },

    async changeGoal({ params: { id }, body, customer, address }) {
      const data = await database.inTransaction(async tx => {
        await changeGoal(tx, customer.accountId, id, body);
        await recordCustomerAct(tx, { customer, address }, 'goal.changed', { goal: id });
        return await readGoal(tx, customer.accountId, id);
      });
      return { data };
    },

    async removeGoal({ params: { id }, customer, address }) {
      const { customerId: actor, accountId } = customer;
      await database.inTransaction(async tx => {
        const goalAccount = await deleteGoal(tx, accountId, id);
        const everything = { accountId, goalAccount, cents: null, cause: 'closing', actor, address } as const;
        const moved = await moveGoal(tx, everything);
        if ('refusal' in moved) throw moved.refusal;
        await recordCustomerAct(tx, { customer, address }, 'goal.removed', { goal: id });
      });
    },

    async moveGoal({ params: { id }, body: { amount, direction }, customer, idempotencyKey, address }) {
      const { customerId: actor, accountId } = customer;
      const cents = direction === 'in' ? amount : -amount;
      const goalAccount = await findGoalAccount(database.reader, accountId, id);
      const move = {
        accountId,
        goalAccount,
        cents,
        cause: 'customer',
        actor,
        key: idempotencyKey,
        address,
      } as const;
      const moved = await database.inTransaction(tx => moveGoal(tx, move));
      if ('refusal' in moved) throw moved.refusal;
      return { data: await readGoalMovement(database.reader, moved.id) };
    },

    async goalMovements({ params: { id }, query, customer }) {
      const goalAccount = await findGoalAccount(database.reader, customer.accountId, id);
      return { data: await readGoalMovements(database.reader, goalAccount, query) };
    },
  };
}
