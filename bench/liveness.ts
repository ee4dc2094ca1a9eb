import type { Browser, Page } from '@playwright/test'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { m } from '#texts/messages.js'
import { receivedEvent, openLive, pageOf, seen } from './browser-page.ts'
import { percentile, type Figure } from '#tools/figures/table.ts'

const ROUNDS = 20

type Two = { customer: Customer; staff: Customer }

/** Measures, with a customer and staff in two browsers, the time from a keystroke in one to its effect on the page of the other. */
export async function measureLiveness(browser: Browser, { customer, staff }: Two): Promise<Figure[]> {
  const body = { subject: 'Live', message: 'Hello', topic: 'technical' } as const
  const reply = await customer.api.call(createTicket, { body })
  if (reply.status !== 201) throw new Error(`a ticket answers ${reply.status}`)
  const [asking, answering] = [await pageOf(browser, customer), await pageOf(browser, staff)]
  await openLive(asking, `/account/tickets/${reply.body.id}`)
  await openLive(answering, `/account/staff-tickets/${reply.body.id}`)
  for (const page of [asking, answering]) await seen(page, LOG, 'Hello')
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // Typing is reported at most every three seconds.
    if (round > 0) await answering.waitForTimeout(3100)
    rounds.push(await talk(asking, answering, round))
  }
  for (const page of [asking, answering]) await page.context().close()
  return (['message', 'typing', 'read', 'status'] as const).map((what) => ({
    name: `chat, the other side sees ${bars[what].name}, p95`,
    value: percentile(
      rounds.map((round) => round[what]),
      95,
    ),
    unit: 'ms',
    most: bars[what].most,
    note: `${ROUNDS} times, two browsers`,
  }))
}

const bars = {
  message: { name: 'a message', most: 300 },
  typing: { name: 'that one writes', most: 300 },
  // A message counts as read after half a second in view.
  read: { name: 'that it was read', most: 700 },
  status: { name: 'the new status', most: 300 },
}

type Round = Record<keyof typeof bars, number>

/** Does one round: staff type and answer, which changes the status, and the thanks of the customer change it back. */
async function talk(asking: Page, answering: Page, round: number): Promise<Round> {
  // The text is searched for without the name before it, which is known only once somebody has taken the ticket.
  const isWriting = m.messages_typing({ name: '' }).trim()
  const [writing, began] = await Promise.all([seen(asking, LOG, isWriting), press(answering, 'a')])

  const text = `answer ${round}!`
  await field(answering).fill(text)
  const [shown, answered, read, said] = await Promise.all([
    seen(asking, LOG, text),
    seen(asking, HEAD, m.tickets_status_pending()),
    seen(answering, LOG, m.messages_seen()),
    press(answering, 'Enter'),
  ])

  const thanks = `thanks ${round}!`
  await field(asking).fill(thanks)
  await press(asking, 'Enter')
  await seen(answering, LOG, thanks)
  await seen(asking, HEAD, m.tickets_status_in_progress())
  return { typing: writing - began, message: shown - said, status: answered - said, read: read - shown }
}

const LOG = '[role=log]'
/** The header of the chat, which shows the status. */
const HEAD = 'header:has(h1)'

const field = (page: Page) => page.getByRole('textbox', { name: m.messages_write() })

async function press(page: Page, key: string): Promise<number> {
  await field(page).focus()
  return receivedEvent(page, 'keydown', () => page.keyboard.press(key))
}
