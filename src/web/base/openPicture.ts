/** Opens a guarded picture in a new tab without exposing its URL. */

/** Long enough for the tab to load the picture; after that the object URL is revoked. */
const keepMs = 60_000;

/**
 * Fetches `url` with the session's `token` and opens it in a new tab as an object URL. Returns false if the fetch failed or
 * the browser blocked the tab.
 */
export async function openPicture(url: string, token: string | undefined): Promise<boolean> {
  // Opened before the fetch: browsers allow a new tab only during the click itself.
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
