/** The payment rail: the queue of exceptions, and the files that were sent and received. */
import { useState } from 'react';
import { useSearchParams } from '#web/router/hooks.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { pageFromAddress, viewAddress } from '../panel/viewAddress.ts';
import { RailExceptions } from './RailExceptions.tsx';
import { RailFiles } from './RailFiles.tsx';
import { railLists, railWords as words } from './railWords.ts';

export function RailView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const page = pageFromAddress(address);
  const shown = railLists.find(name => name === address.get('list')) ?? 'open';
  const [done, setDone] = useState('');
  const search = (list: string, at = 1) =>
    viewAddress('rail', at, list === 'open' ? [] : [['list', list]]).search;
  const showPage = (next: number) => setAddress(search(shown, next));
  return (
    <>
      <ViewHead menu={menu} title={words.title}>
        <DoneLine text={done} />
        <ViewFilter
          label={words.show}
          value={shown}
          onChange={list => setAddress(search(list), { replace: true })}
          options={railLists.map(value => ({ value, label: words.lists[value] }))}
        />
      </ViewHead>
      {shown === 'open' || shown === 'resolved' ? (
        <RailExceptions list={shown} page={page} onPage={showPage} onDone={setDone} />
      ) : (
        <RailFiles direction={shown} page={page} onPage={showPage} />
      )}
    </>
  );
}
