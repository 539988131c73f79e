/** The last column of a table: the buttons of each row. */
import type { Column } from '#web/ui/Table.tsx';
import { words } from '../words.ts';

export const actionsColumn = <Row>(cell: Column<Row>['cell']): Column<Row> => ({
  key: 'actions',
  head: words.actions,
  hideHead: true,
  align: 'end',
  place: 'actions',
  cell,
});
