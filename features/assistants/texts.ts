import type { Locale } from '#foundation/locale.ts'
import * as m from '#texts/messages.js'

const texts: Readonly<Record<string, typeof m.assistants_do_order>> = {
  orderLicence: m.assistants_do_order,
  updateHost: m.assistants_do_update_host,
  createTicket: m.assistants_do_create_ticket,
  postMessage: m.assistants_do_post_message,
}

/** The act of a tool once it is confirmed; its id where an older page does not know it. */
export const toolText = (tool: string, locale?: Locale): string =>
  texts[tool]?.({}, locale ? { locale } : {}) ?? tool
