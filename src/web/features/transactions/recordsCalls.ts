/** The records area's calls: the list of statements, and copies of all data. */
import { recordsApi } from '#contract/records.ts';
import { areaApi } from '#web/base/api.ts';

export const { useStatementsQuery, useExportJobsQuery, useRequestExportMutation } = areaApi(recordsApi, {
  statements: { provides: ['Transactions'] },
  exportJobs: { provides: ['Copies'] },
  requestExport: { invalidates: ['Copies'] },
});
