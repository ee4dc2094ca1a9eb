import { postMessage } from '#features/support/messages/contract.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { callApi } from './call-api.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'

export type Side = { context: BrowserContext; page: Page; token: string }

/** Makes a customer with a ticket and signs staff in, each in a browser context of their own. Neither has opened the chat yet. */
export async function customerAndStaff(browser: Browser, options: BrowserContextOptions = {}) {
  const customer = await side(browser, options, async (page) => (await newCustomer(page, 'en')).token)
  const staff = await side(browser, options, (page) => signIn(page, olivia))
  const ticket = await new ServerCalls(customer.page, customer.token).asks('Cannot reach my server')
  return {
    customer,
    staff,
    ticket,
    close: () => Promise.all([customer.context.close(), staff.context.close()]),
  }
}

async function side(
  browser: Browser,
  options: BrowserContextOptions,
  enter: (page: Page) => Promise<string>,
): Promise<Side> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  return { context, page, token: await enter(page) }
}

/** Posts a message by a call, for stories in which the page of the other person receives it. */
export async function sayByCall(
  { page, token }: Side,
  ticket: Pick<Ticket, 'id'>,
  text: string,
): Promise<void> {
  const path = postMessage.path.replace('{chatId}', ticket.id)
  const data = { client_id: crypto.randomUUID(), text }
  await callApi(page, 'POST', path, { token, data, status: 201 })
}
