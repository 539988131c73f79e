/** Calls of the goals area: pots inside an account, in which a customer saves for something. */
import * as z from 'zod/mini';
import { maxLength, paging } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { amount, id, moment, money, pageQuery, pages, requiredLine } from './fields.ts';
import * as goalsMessages from './messages/goals.ts';
import { soon } from './scheduled.ts';

export const goalPictures = ['home', 'car', 'trip', 'school', 'gift', 'umbrella', 'plant', 'star'] as const;
export type GoalPicture = (typeof goalPictures)[number];

export const ruleFrequencies = ['weekly', 'biweekly', 'monthly'] as const;
export type RuleFrequency = (typeof ruleFrequencies)[number];

const Goal = z.object({
  _id: z.string(),
  name: z.string(),
  picture: z.enum(goalPictures),
  target: money,
  /** The day by which the customer wants to reach the target, `YYYY-MM-DD`. */
  targetDate: z.optional(z.string()),
  /** What is in the goal now. */
  saved: money,
  /** Moves an amount into the goal on regular dates, which are computed like a scheduled transfer's. */
  rule: z.optional(
    z.object({
      amount: money,
      frequency: z.enum(ruleFrequencies),
      startDate: z.string(),
      nextDate: z.string(),
      /** When the bank tries the next date again, if the balance was too small. */
      retriesAt: z.optional(moment),
    }),
  ),
  /**
   * The rule's last date on which the goal was below its target. `isMoved` is false if the ledger refused or the date was over
   * three days late.
   */
  lastRun: z.optional(z.object({ date: z.string(), isMoved: z.boolean() })),
  /** Whether transfers are rounded up to the next dollar, and the difference goes into this goal once a day. */
  roundUp: z.boolean(),
  createdAt: moment,
});
export type Goal = z.input<typeof Goal>;
export type DecodedGoal = z.output<typeof Goal>;

/** Why money moved: by hand, by the goal's rule, by round-ups, or because the goal was deleted. */
const causes = ['customer', 'rule', 'round-up', 'closing'] as const;
const directions = ['in', 'out'] as const;

const Movement = z.object({
  _id: z.string(),
  direction: z.enum(directions),
  amount: money,
  cause: z.enum(causes),
  timestamp: moment,
  /** What was in the goal afterward. */
  savedAfter: money,
});
export type GoalMovement = z.input<typeof Movement>;
export type DecodedGoalMovement = z.output<typeof Movement>;

const Rule = z.strictObject({
  amount,
  frequency: z.enum(ruleFrequencies, { error: 'Please choose weekly, biweekly or monthly' }),
  startDate: soon(goalsMessages.ruleStart),
});
const fields = {
  name: requiredLine(maxLength.nickname, 'Give the goal a name'),
  picture: z.enum(goalPictures, { error: 'Please choose a picture' }),
  target: amount,
};
const NewGoal = z.strictObject({
  ...fields,
  targetDate: z.optional(soon(goalsMessages.targetDate)),
  rule: z.optional(Rule),
  roundUp: z._default(z.boolean(), false),
});
export type NewGoal = z.output<typeof NewGoal>;

/** Only the fields that change. A null removes the date or the rule. */
const GoalChange = z.strictObject({
  name: z.optional(fields.name),
  picture: z.optional(fields.picture),
  target: z.optional(fields.target),
  targetDate: z.optional(z.nullable(soon(goalsMessages.targetDate))),
  rule: z.optional(z.nullable(Rule)),
  roundUp: z.optional(z.boolean()),
});
export type GoalChange = z.output<typeof GoalChange>;

const path = '/api/v1/user/goals';
const onePath = '/api/v1/user/goals/{id}';
const params = z.strictObject({ id });

export const goalsApi = {
  listGoals: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: z.object({ saved: money, goals: z.array(Goal) }),
    message: goalsMessages.goals,
    summary: 'The savings goals, the oldest first, and what is in all of them',
  }),
  addGoal: endpoint({
    method: 'POST',
    path,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    body: NewGoal,
    idempotent: true,
    status: 201,
    data: Goal,
    message: 'Savings goal added',
    refusals: ['CONFLICT', 'IDEMPOTENCY_MISMATCH'],
    summary: 'Add a savings goal, with or without a rule that moves money into it',
  }),
  changeGoal: endpoint({
    method: 'PUT',
    path: onePath,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params,
    body: GoalChange,
    data: Goal,
    message: 'Savings goal saved',
    refusals: ['NOT_FOUND'],
    summary: 'Change a savings goal',
  }),
  removeGoal: endpoint({
    method: 'DELETE',
    path: onePath,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params,
    message: 'Savings goal deleted. Its money is in your account.',
    refusals: ['NOT_FOUND'],
    summary: 'Delete a savings goal; its money returns to the account',
  }),
  moveGoal: endpoint({
    method: 'POST',
    path: '/api/v1/user/goals/{id}/move',
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params,
    body: z.strictObject({ amount, direction: z.enum(directions, { error: 'Please choose in or out' }) }),
    idempotent: true,
    status: 201,
    data: Movement,
    message: 'Money moved',
    refusals: ['NOT_FOUND', 'INSUFFICIENT_BALANCE', 'IDEMPOTENCY_MISMATCH'],
    summary: 'Move money into a savings goal or out of it, at once',
  }),
  goalMovements: endpoint({
    method: 'GET',
    path: '/api/v1/user/goals/{id}/movements',
    access: 'customer',
    params,
    query: z.strictObject(pageQuery(paging.transactionsDefault)),
    data: z.object({ movements: z.array(Movement), ...pages }),
    message: 'Money in and out of a savings goal',
    refusals: ['NOT_FOUND'],
    summary: 'A page of the money that moved in and out of a savings goal, newest first',
  }),
};
