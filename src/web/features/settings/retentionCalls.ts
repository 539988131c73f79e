/** How long the bank keeps identification data, as a hook. */
import { retainedApi } from '#contract/retained.ts';
import { areaApi } from '#web/base/api.ts';

// `openRetained` is for auditors: admin/audit/RetainedData.tsx.
const { openRetained: _, ...ownRetainedApi } = retainedApi;

export const { useRetentionQuery } = areaApi(ownRetainedApi, { retention: { provides: ['Profile'] } });
