/** Text inside HTML that is written by hand. */

/** The text with every character that means something in HTML, in content and in quoted attributes, spelt as a number. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
