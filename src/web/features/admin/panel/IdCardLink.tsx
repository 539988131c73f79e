/**
 * Opens a customer's ID document in a new tab, which names the customer. The picture is fetched with the session's token in a
 * header and shown from memory. So no URL contains the token, and no URL opens the picture again.
 */
import { useState } from 'react';
import { openPicture } from '#web/base/openPicture.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { words } from '../words.ts';
import './IdCardLink.css';

export type IdCardLinkProps = {
  /** The name of the document's owner. */
  name: string;
  /** The URL of the document. */
  url: string;
};

export function IdCardLink({ name, url }: IdCardLinkProps) {
  const dispatch = useAppDispatch();
  const [failed, setFailed] = useState(false);
  const open = async () => setFailed(!(await dispatch(openPicture(url, 'admin', words.idOf(name)))));
  return (
    <>
      <span className="IdCardLink screen-only">
        <button type="button" className="link" aria-label={words.viewIdOf(name)} onClick={() => void open()}>
          {words.viewId}
          <Icon name="external" size={16} />
        </button>
        <span role="status">{failed && words.pictureFailed}</span>
      </span>
      <span className="IdCardLink-printed">{words.idUploaded}</span>
    </>
  );
}
