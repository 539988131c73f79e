/** The result of the last change. It stays visible while the page scrolls, until it is dismissed. */
import * as appMessages from '#contract/messages/app.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { selectSettings, settingsReset } from './settingsSlice.ts';
import './SettingsNotice.css';

export function SettingsNotice() {
  const { request, message, isUnknown } = useAppSelector(selectSettings);
  const dispatch = useAppDispatch();
  if (request !== 'success' && request !== 'error') return null;
  return (
    <Banner
      className="SettingsNotice"
      kind={isUnknown ? 'warning' : request}
      title={message}
      dismiss={{ label: appMessages.dismiss, onPress: () => dispatch(settingsReset()) }}
    />
  );
}
