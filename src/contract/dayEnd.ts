/** Calls of the day end area: what the bank holds and owes, what is on its way, and proofs of the books. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, moment, money } from './fields.ts';
import * as dayEndMessages from './messages/dayEnd.ts';
import { everyRole, provers } from './roles.ts';

/**
 * The sum of all customers' balances, including savings goals, and the balance of each of the bank's own accounts. They add up
 * to zero.
 */
const Balances = z.object({ customers: money, treasury: money, clearing: money, unclaimed: money });
const Payments = z.object({ count: z.number(), amount: money });

/** What is on its way to other banks. `held`: not sent because the account is frozen. `overdue`: later than expected. */
const OnTheWay = z.object({ pending: Payments, held: Payments, overdue: Payments });

/** `unfinished`: the proof ended without a result. */
const proofStates = ['running', 'passed', 'faults', 'unfinished'] as const;

/** A proof of the books, with the figures that it proved. */
export const Proof = z.object({
  _id: z.string(),
  startedAt: moment,
  finishedAt: z.optional(moment),
  /** Absent for the daily proof. */
  askedBy: z.optional(z.object({ _id: z.string(), name: z.string() })),
  /** The proof began at the first record instead of the last sealed balances. */
  isWhole: z.boolean(),
  state: z.enum(proofStates),
  /** How many audit records were checked, and how many existed when the proof started. */
  records: z.number(),
  allRecords: z.number(),
  transactions: z.number(),
  /** A sentence for each row that is not as it should be. */
  faults: z.array(z.string()),
  balances: z.optional(Balances),
  onTheWay: z.optional(OnTheWay),
});
export type Proof = z.input<typeof Proof>;
export type DecodedProof = z.output<typeof Proof>;

export const dayEndApi = {
  dayEnd: endpoint({
    method: 'GET',
    path: '/api/v1/admin/day-end',
    access: 'admin',
    roles: everyRole,
    data: z.object({
      at: moment,
      /** How many customers have an open account. */
      accounts: z.number(),
      balances: Balances,
      onTheWay: OnTheWay,
      /** The newest proof, which may be running. */
      proof: z.optional(Proof),
      /** The last finished proof of each day, newest first, for at most 31 days. */
      days: z.array(Proof),
    }),
    message: dayEndMessages.dayEnd,
    summary: 'What the bank holds and owes now, what is on its way, and the proven figures of the last days',
  }),
  proof: endpoint({
    method: 'GET',
    path: '/api/v1/admin/proofs/{id}',
    access: 'admin',
    roles: everyRole,
    params: z.strictObject({ id }),
    data: Proof,
    message: dayEndMessages.proof,
    refusals: ['NOT_FOUND'],
    summary: 'One proof of the books, with its progress while it runs',
  }),
  startProof: endpoint({
    method: 'POST',
    path: '/api/v1/admin/proofs',
    access: 'admin',
    roles: provers,
    status: 201,
    data: Proof,
    message: 'The proof has started',
    refusals: ['CONFLICT'],
    summary: 'Prove the books from the first record in the background; one proof runs at a time',
  }),
};
