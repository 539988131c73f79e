/** Escaping for HTML that is built from strings. */

/** Writes characters that are special in HTML content or quoted attributes as numeric entities. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
