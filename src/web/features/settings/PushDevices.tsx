/** Push notifications: turns them on for this browser, chooses what this browser gets, and lists all browsers that get any. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { fill } from '#contract/messages/fill.ts';
import type { PushDevice } from '#contract/push.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { canGetPushes, findSubscription, subscribe, toKeys } from '#web/base/pushSubscription.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { sectionTitle } from '#web/ui/sectionTitle.ts';
import {
  useAddPushDeviceMutation,
  useListPushDevicesQuery,
  useRemovePushDeviceMutation,
} from './pushCalls.ts';
import { words } from './words.ts';
import './PushDevices.css';

const texts = words.push;
const choices = ['money', 'security', 'showsAmounts'] as const;
const firstChoice = { money: true, security: true, showsAmounts: false };

/** This browser's subscription; undefined while it is looked up or if there is none. */
function useSubscription() {
  const [subscription, setSubscription] = useState<PushSubscription>();
  const readSubscription = useCallback(
    () => void findSubscription().then(setSubscription, () => undefined),
    [],
  );
  useEffect(() => {
    if (canGetPushes()) readSubscription();
  }, [readSubscription]);
  return { subscription, readSubscription };
}

export function PushDevices() {
  const { data, isError, refetch } = useListPushDevicesQuery();
  const { subscription, readSubscription } = useSubscription();
  const [add, adding] = useAddPushDeviceMutation();
  const [remove] = useRemovePushDeviceMutation();
  const [isAsking, setIsAsking] = useState(false);
  const [refused, setRefused] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  /** The pressed button disappears, so the focus moves to the section's title, unless it has moved elsewhere. */
  const buttonGoes = () => {
    if (place.current?.contains(document.activeElement)) sectionTitle(place).current?.focus();
  };
  if (!data)
    return isError ? (
      <LoadFailed title={texts.failed} onRetry={refetch} />
    ) : (
      <Skeleton kind="rows" count={2} label={texts.loading} />
    );
  const { publicKey, devices } = data;
  const own = devices.find(({ endpoint }) => endpoint === subscription?.endpoint);

  const turnOn = async () => {
    if (publicKey === null) return;
    setIsAsking(true);
    const keys = await subscribe(publicKey);
    setRefused(!keys);
    if (keys && !(await add({ body: { ...keys, ...firstChoice } })).error) buttonGoes();
    readSubscription();
    setIsAsking(false);
  };
  const turnOff = async (device: PushDevice) => {
    if (device === own) await subscription?.unsubscribe();
    if (!(await remove({ params: { id: device._id } })).error) buttonGoes();
    if (device === own) readSubscription();
  };

  return (
    <div ref={place} className="PushDevices">
      {own && subscription ? (
        <div className="PushDevices-choices">
          {choices.map(choice => (
            <Switch
              key={choice}
              checked={own[choice]}
              label={texts[choice]}
              busy={adding.isLoading && adding.originalArgs?.body[choice] !== own[choice]}
              onChange={checked => {
                const { money, security, showsAmounts } = own;
                void add({
                  body: { ...toKeys(subscription), money, security, showsAmounts, [choice]: checked },
                });
              }}
            />
          ))}
        </div>
      ) : publicKey !== null && canGetPushes() ? (
        <>
          <p>{refused ? texts.refused : texts.off}</p>
          <Button busy={isAsking} busyLabel={texts.turningOn} onClick={() => void turnOn()}>
            {texts.turnOn}
          </Button>
        </>
      ) : (
        <p>{publicKey === null ? texts.none : texts.unsupported}</p>
      )}
      {devices.length > 0 && (
        <ul aria-label={texts.devices}>
          {devices.map(device => (
            <li key={device._id}>
              <b>{device.device}</b>
              {device === own && <Badge kind="verified">{words.sessions.current}</Badge>}
              <Button
                kind="quiet"
                size="s"
                aria-label={fill(texts.turnOffNamed, { device: device.device })}
                onClick={() => void turnOff(device)}
              >
                {texts.turnOff}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
