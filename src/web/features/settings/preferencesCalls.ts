/** The preferences area's calls as hooks. */
import { preferencesApi } from '#contract/preferences.ts';
import { areaApi } from '#web/base/api.ts';

export const { usePreferencesQuery, useSetPreferencesMutation } = areaApi(preferencesApi, {
  preferences: { provides: ['Profile'] },
  setPreferences: { invalidates: ['Profile', 'Notifications'], saves: 'preferences' },
});
