/** The payment rail: the queue of exceptions, and the files that were sent and received. */
import { useState } from 'react';
import { DoneLine } from '../panel/DoneLine.tsx';
import { useShownList } from '../panel/useShownList.ts';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { RailExceptions } from './RailExceptions.tsx';
import { RailFiles } from './RailFiles.tsx';
import { railLists, railWords as words } from './railWords.ts';

export function RailView({ menu }: ViewProps) {
  const { shown, page, show, showPage } = useShownList('rail', 'list', railLists);
  const [done, setDone] = useState('');
  return (
    <>
      <ViewHead menu={menu} title={words.title}>
        <DoneLine text={done} />
        <ViewFilter label={words.show} value={shown} onChange={show} lists={railLists} names={words.lists} />
      </ViewHead>
      {shown === 'open' || shown === 'resolved' ? (
        <RailExceptions list={shown} page={page} onPage={showPage} onDone={setDone} />
      ) : (
        <RailFiles direction={shown} page={page} onPage={showPage} />
      )}
    </>
  );
}
