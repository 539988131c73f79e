/** The component sheet for developers: every component in every state. Served at /dev/components in local mode. */
import { ActionSpecimens } from './ActionSpecimens.tsx';
import { FactorSpecimens } from './FactorSpecimens.tsx';
import { FieldSpecimens } from './FieldSpecimens.tsx';
import { ListSpecimens } from './ListSpecimens.tsx';
import { MessageSpecimens } from './MessageSpecimens.tsx';
import { MoneySpecimens } from './MoneySpecimens.tsx';
import './ComponentSheet.css';

export function ComponentSheet() {
  return (
    <div className="wrap ComponentSheet">
      <h1 className="type-title">Component sheet</h1>
      <p className="type-note ComponentSheet-note">
        Every part in every state it can be in. What is not here, think twice before adding.
      </p>
      <ActionSpecimens />
      <FieldSpecimens />
      <MessageSpecimens />
      <FactorSpecimens />
      <MoneySpecimens />
      <ListSpecimens />
    </div>
  );
}
