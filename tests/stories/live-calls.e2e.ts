import { assignTicket } from '#features/support/desk/contract.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { buildApp } from '#app/server/build-app.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'
import { PatientClient } from '#tests/harness/patient-client.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { expect, test } from '#tests/harness/story.ts'
import { translate } from '#tests/harness/translator.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { m } from '#texts/messages.js'

// This story counts how many calls a message causes, in real browsers with real streams. It has an installation of its own, since messages
// of other stories would be counted as well.

// An earlier version made 24 calls after one message, some of them by staff on other pages, and more with each member of staff.
test('K-02 a message costs at most two calls for each reader, and none for anybody else', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  const { dataDir, remove } = makeDataDir()
  const SECRET_KEY = 'the-key-of-this-story-which-protects-nothing-0123456789'
  const settings = { DEMO: 'off', RATE_LIMIT_SCALE: '1000', DATA_DIR: dataDir, SECRET_KEY }
  const product = await startProduct({ dataDir, settings, withPages: true })
  try {
    const people = await signInAll(product.url, dataDir, settings)
    const { customer, jonas } = people
    const body = { subject: 'Slow', message: 'Since this morning.', topic: 'technical' } as const
    const { id } = (await customer.api.call(createTicket, { body })).body as { id: string }
    await jonas.api.call(assignTicket, { params: { chatId: id }, body: {} })
    const addresses = {
      customer: `/account/tickets/${id}`,
      jonas: `/account/staff-tickets/${id}`,
      olivia: `/account/staff-tickets/${id}`,
      elsewhere: '/account/settings/account',
      stranger: '/account/settings/account',
    }
    const readers: Record<Who, Reader> = {
      customer: await open(browser, customer, addresses.customer),
      jonas: await open(browser, jonas, addresses.jonas),
      olivia: await open(browser, people.olivia, addresses.olivia),
      elsewhere: await open(browser, people.elsewhere, addresses.elsewhere),
      stranger: await open(browser, people.stranger, addresses.stranger),
    }
    await quiet(readers)

    await say(readers.customer.page, 'It is still slow.')
    for (const who of ['jonas', 'olivia'] as const)
      await expect(log(readers[who].page)).toContainText('It is still slow.')
    expectFew(await callsOf(readers), { author: 'customer' })

    // The answer changes the status, which all three readers see without a call.
    await say(readers.jonas.page, 'We look into it.')
    await expect(log(readers.customer.page)).toContainText('We look into it.')
    for (const who of ['customer', 'jonas', 'olivia'] as const)
      await expect(
        readers[who].page.getByText(m.tickets_status_pending(), { exact: true }).first(),
      ).toBeVisible()
    await expect(log(readers.jonas.page), 'the mark comes without asking').toContainText(m.messages_seen())
    expectFew(await callsOf(readers), { author: 'jonas' })
    for (const { page } of Object.values(readers)) await page.context().close()
  } finally {
    await product.stop()
    remove()
  }
})

type Who = 'customer' | 'jonas' | 'olivia' | 'elsewhere' | 'stranger'
type Reader = { page: Page; calls: string[] }

function expectFew(calls: Record<Who, string[]>, { author }: { author: Who }): void {
  const told = JSON.stringify(calls, null, 1)
  // The calls that report typing come before the message, and do not count.
  const afterwards = (who: Who) => calls[who].filter((call) => !call.endsWith('/typing/'))
  for (const who of ['customer', 'jonas', 'olivia'] as const)
    expect(afterwards(who).length, told).toBeLessThanOrEqual(2)
  expect(
    calls[author].filter((call) => call.startsWith('GET')),
    'one’s own event is recognised',
  ).toEqual([])
  expect([calls.elsewhere, calls.stranger], told).toEqual([[], []])
}

/** Returns the calls of each page since the last call of this function, once no further calls follow. */
async function callsOf(readers: Record<Who, Reader>): Promise<Record<Who, string[]>> {
  // A page asks for its counts at most every five seconds, and then once more.
  await sleep(7000)
  await quiet(readers, { keep: true })
  const calls = {} as Record<Who, string[]>
  for (const who of Object.keys(readers) as Who[]) calls[who] = readers[who].calls.splice(0)
  return calls
}

/**
 * Waits until no page has made a call for four seconds: a busy page may wait for three until it asks for what can wait. Forgets the calls so
 * far, unless `keep` is set.
 */
async function quiet(readers: Record<Who, Reader>, { keep = false } = {}): Promise<void> {
  const all = Object.values(readers)
  const count = () => all.reduce((sum, { calls }) => sum + calls.length, 0)
  for (let before = -1; before !== count();) {
    before = count()
    await sleep(4000)
  }
  if (!keep) for (const { calls } of all) calls.length = 0
}

const log = (page: Page) => page.getByRole('log', { name: m.messages_list() })

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: m.messages_write(), exact: true })
  await field.fill(text)
  await field.press('Enter')
}

/** Opens a page in a browser context of its own, signed in. Counts its calls, except the stream itself and reports of presence. */
async function open(browser: Browser, person: Customer, address: string): Promise<Reader> {
  const { api, user_id, email } = person
  const stored = {
    user: JSON.stringify({ id: user_id, display: email, email }),
    access_token: must(api.access_token),
    refresh_token: must(api.refresh_token),
    session_token: must(api.session_token),
    locale: 'en',
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: api.url,
    storageState: { cookies: [], origins: [{ origin: api.url, localStorage }] },
  })
  context.setDefaultTimeout(20_000)
  // 08-translator: what is live is seen live by those who have the page translated, too (rule 56).
  await translate(context)
  const page = await context.newPage()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isCounted =
      pathname.startsWith('/api/') && pathname !== '/api/events/' && !pathname.endsWith('/presence/')
    if (isCounted) calls.push(`${request.method()} ${pathname}`)
  })
  const isStream = (url: string) => new URL(url).pathname === '/api/events/'
  await Promise.all([page.waitForResponse((reply) => isStream(reply.url())), page.goto(address)])
  return { page, calls }
}

async function signInAll(url: string, dataDir: string, settings: Record<string, string>) {
  const ownerUrl = databaseOf(dataDir)
  const config = loadConfig({ ...settings, PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: ownerUrl })
  const app = await buildApp(config, { ownerUrl, log: createLog({ level: 'silent' }) })
  const given = { app, client: () => new PatientClient(url) }
  try {
    return {
      customer: await signedInCustomer(given),
      stranger: await signedInCustomer(given),
      jonas: await signedInStaff(given),
      olivia: await signedInStaff(given),
      elsewhere: await signedInStaff(given),
    }
  } finally {
    await app.close()
  }
}
