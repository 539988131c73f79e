/** Escaping for HTML that is built from strings. */

/** Replaces characters with a meaning in HTML content and quoted attributes by numeric entities. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
