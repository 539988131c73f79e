/** The outlook of an account: the next regular income, and what is scheduled until then. */
import { sql } from 'kysely';
import { calendarDay } from '#contract/bankTime.ts';
import type { Reader } from '../db/database.ts';

/** How many of the newest payments of the last 100 days are searched for regular income. */
const searchedPayments = 500;

/**
 * The balance, the day of the next income (`until`), and how much scheduled transfers and rules of savings goals move out until
 * then, with the part of the rules (`savings`). Income is regular if the last three payments from one payer are a week, two
 * weeks or a month apart. If several payers qualify, the one with the largest last payment counts. Without regular income,
 * `until` is the end of the month.
 */
export async function readAhead(
  reader: Reader,
  accountId: bigint,
  now: Date,
): Promise<{
  balance: bigint;
  until: string;
  isIncome: boolean;
  scheduled: bigint;
  savings: bigint;
  inGoals: bigint;
}> {
  const today = sql`${calendarDay(now)}::date`;
  const found = await sql<{
    balance: bigint;
    until: string;
    is_income: boolean;
    scheduled: bigint;
    savings: bigint;
    in_goals: bigint;
  }>`
    WITH payments AS (
      SELECT coalesce(d.bank_name || ' ' || d.sender_name, t.sender_account::text) AS payer, bank_day(t.created_at) AS day, t.amount
        FROM (SELECT * FROM transactions
               WHERE receiver_account = ${accountId} AND receiver_seq >= first_seq_since(${accountId}, ${today} - interval '100 days')
                 AND type IN ('transfer', 'deposit')
               ORDER BY receiver_seq DESC LIMIT ${searchedPayments}) t
        LEFT JOIN deposits d ON d.transaction_id = t.id AND t.type = 'deposit'
    ), payers AS (
      SELECT (array_agg(day ORDER BY day DESC))[1:3] AS days, (array_agg(amount ORDER BY day DESC))[1] AS amount
        FROM payments GROUP BY payer HAVING count(*) >= 3
    ), income AS (
      SELECT scheduled_date(days[1], f.name, 1) AS day
        FROM payers, (VALUES ('weekly', 6, 8), ('biweekly', 13, 15), ('monthly', 27, 33)) f(name, shortest, longest)
       WHERE days[1] - days[2] BETWEEN shortest AND longest AND days[2] - days[3] BETWEEN shortest AND longest
         AND scheduled_date(days[1], f.name, 1) > ${today}
       ORDER BY amount DESC LIMIT 1
    ), span AS MATERIALIZED (
      SELECT coalesce((SELECT day FROM income), (date_trunc('month', ${today}) + interval '1 month - 1 day')::date) AS until,
             EXISTS (SELECT FROM income) AS is_income
    ), ahead AS (
      -- The next seven dates are more than enough: a weekly transfer has at most five within a month.
      SELECT s.amount, false AS is_saving
        FROM span, scheduled_transfers s
        LEFT JOIN ledger_accounts r ON s.bank_name = '' AND r.number = s.account_number,
             generate_series(s.next_index, s.next_index + 6) i
       WHERE s.account_id = ${accountId} AND s.next_date IS NOT NULL AND NOT s.is_paused AND r.is_closed IS NOT TRUE
         AND scheduled_date_within(s.start_date, s.frequency, i, s.end_date, s.max_count) <= span.until
      UNION ALL
      -- A rule stops at the goal's target.
      SELECT least(count(*) * g.rule_amount, greatest(g.target - s.balance, 0)), true
        FROM span, goals g JOIN ledger_accounts s ON s.id = g.ledger_account, generate_series(g.rule_index, g.rule_index + 6) i
       WHERE g.account_id = ${accountId} AND g.rule_date IS NOT NULL
         AND scheduled_date(g.rule_start, g.rule_frequency, i) <= span.until
       GROUP BY g.id, s.balance
    )
    SELECT a.balance, span.until::text, span.is_income, (SELECT coalesce(sum(amount), 0)::bigint FROM ahead) AS scheduled,
           (SELECT coalesce(sum(amount), 0)::bigint FROM ahead WHERE is_saving) AS savings,
           (SELECT coalesce(sum(s.balance), 0)::bigint FROM goals g JOIN ledger_accounts s ON s.id = g.ledger_account
             WHERE g.account_id = ${accountId}) AS in_goals
      FROM span, ledger_accounts a WHERE a.id = ${accountId}`.execute(reader);
  const { is_income: isIncome, in_goals: inGoals, ...ahead } = found.rows[0]!;
  return { ...ahead, isIncome, inGoals };
}
