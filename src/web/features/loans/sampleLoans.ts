/** The two loans shown until the bank offers real loans. Sample data: no customer owes anything on them. */
import type { LoanTerms } from './schedule.ts';

export const sampleLoans: readonly LoanTerms[] = [
  {
    id: 'personal-2026',
    type: 'personal',
    amount: 5000,
    interestRate: 12.5,
    startDate: '2026-01-15',
    endDate: '2028-01-15',
  },
  {
    id: 'business-2023',
    type: 'business',
    amount: 10_000,
    interestRate: 10.5,
    startDate: '2023-03-01',
    endDate: '2025-03-01',
  },
];
