/** The component sheet for developers: every part in every state it can be in. Served at /dev/components in local mode. */
import { ActionSpecimens } from './sheet/ActionSpecimens.tsx';
import { FieldSpecimens } from './sheet/FieldSpecimens.tsx';
import { ListSpecimens } from './sheet/ListSpecimens.tsx';
import { MessageSpecimens } from './sheet/MessageSpecimens.tsx';
import { MoneySpecimens } from './sheet/MoneySpecimens.tsx';
import './utilities.css';

export function ComponentSheet() {
  return (
    <div className="wrap py-8">
      <h1 className="type-title">Component sheet</h1>
      <p className="type-note mt-2 mb-7">
        Every part in every state it can be in. What is not here, think twice before adding.
      </p>
      <ActionSpecimens />
      <FieldSpecimens />
      <MessageSpecimens />
      <MoneySpecimens />
      <ListSpecimens />
    </div>
  );
}
