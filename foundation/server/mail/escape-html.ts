import { must } from '#foundation/must.ts'
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes a text for HTML. The attack is a person's or a browser's name full of mark-up, which would put a stranger's words into our mail.
 */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => must(entities[sign]))
