/** Shows a guarded picture in a new tab without giving its address away. */

/** Long enough for the tab to have read the picture; after that the memory is given back. */
const keepMs = 60_000;

/**
 * Fetches `url` with the session's `token` and opens it in a new tab from memory. False when it could not be
 * fetched or the browser refused the tab.
 */
export async function openPicture(url: string, token: string | undefined): Promise<boolean> {
  // Opened before the fetch: only the press itself may open a tab.
  const tab = window.open('', '_blank');
  if (!tab) return false;
  tab.opener = null;
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token ?? ''}` } });
    const picture = await response.blob();
    if (!response.ok || !picture.type.startsWith('image/')) throw new Error('no picture');
    const address = URL.createObjectURL(picture);
    tab.location.replace(address);
    setTimeout(() => URL.revokeObjectURL(address), keepMs);
    return true;
  } catch {
    tab.close();
    return false;
  }
}
