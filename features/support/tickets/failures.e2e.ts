import { uploadAttachment } from '#features/support/files/contract.ts'
import { assignTicket } from '#features/support/desk/contract.ts'
import { listMessages } from '#features/support/messages/contract.ts'
import type { Page, Request } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import type { Locale } from '#foundation/locale.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { m } from '#texts/messages.js'
import { closeTicket, createTicket, getTicket, listTickets } from './contract.ts'

type Called = { method: string; path: string }

/** Aborts each call of one kind until the returned function is called. */
async function cut(page: Page, { method, path }: Called): Promise<() => Promise<void>> {
  const wanted = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  const isCut = (url: URL) => wanted.test(url.pathname)
  await page.route(isCut, (route, request: Request) =>
    request.method() === method ? route.abort() : route.fallback(),
  )
  return () => page.unroute(isCut)
}

// Row K-04, as the pages show it: a failure appears in the customer's language, the action can be tried again, and nothing typed is lost.
const locale: Locale = 'de'

test.use({ locale: browserLocales[locale] })

test('K-04 a network that fails costs no word, and each action shows what has failed', async ({
  page,
  browser,
}) => {
  const t = (text: typeof m.ui_save) => text({}, { locale })
  const button = (text: typeof m.ui_save) => page.getByRole('button', { name: t(text), exact: true })
  const subject = `${locale} ${Date.now().toString(36)}`
  await newCustomer(page, locale)
  // A stream that opens loads by itself what has failed, and takes the button away before it is pressed.
  await page.route('**/api/events/**', () => {})

  await test.step('the list', async () => {
    const mend = await cut(page, listTickets)
    await page.goto('/account/tickets')
    await expect(page.getByText(t(m.tickets_fetch_failed))).toBeVisible()
    await mend()
    await button(m.ui_retry).click()
    await expect(page.getByText(t(m.tickets_empty_title))).toBeVisible()
  })

  await test.step('a new ticket', async () => {
    const mend = await cut(page, createTicket)
    await page.goto('/account/tickets?new=')
    await page.getByLabel(t(m.tickets_subject), { exact: true }).fill(subject)
    await page.getByLabel(t(m.tickets_message), { exact: true }).fill('Since this morning.')
    await page.getByLabel(t(m.tickets_topic), { exact: true }).selectOption('technical')
    await button(m.tickets_create).click()
    await expect(page.getByText(t(m.tickets_create_failed)).first()).toBeVisible()
    await expect(page.getByLabel(t(m.tickets_message), { exact: true })).toHaveValue('Since this morning.')
    await mend()
    await button(m.tickets_create).click()
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  })

  await test.step('a file', async () => {
    const mend = await cut(page, uploadAttachment)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('all is well') })
    await page.getByRole('textbox', { name: t(m.messages_write) }).fill('See the log')
    await expect(page.getByText(t(m.files_failed))).toBeVisible()
    await expect(button(m.messages_send)).toBeDisabled()
    await expect(page.getByRole('textbox', { name: t(m.messages_write) })).toHaveValue('See the log')
    await mend()
    await page.getByRole('button', { name: m.files_retry({ name: 'log.txt' }, { locale }) }).click()
    await button(m.messages_send).click()
    await expect(page.getByRole('log').getByText('See the log')).toBeVisible()
    await expect(page.getByRole('log').getByText('log.txt')).toBeVisible()
  })

  await test.step('closing', async () => {
    const mend = await cut(page, closeTicket)
    await button(m.messages_close).click()
    await expect(page.getByText(t(m.messages_close_failed)).first()).toBeVisible()
    await mend()
    await button(m.messages_close).click()
    await expect(page.getByText(t(m.messages_closed_may_reply))).toBeVisible()
  })

  await test.step('the chat shows and retries a failed fetch of its ticket or messages, and shows that a ticket does not exist', async () => {
    for (const [call, text] of [
      [getTicket, m.messages_ticket_fetch_failed],
      [listMessages, m.messages_fetch_failed],
    ] as const) {
      const mend = await cut(page, call)
      await page.reload()
      await expect(page.getByText(t(text))).toBeVisible()
      await mend()
      await button(m.ui_retry).click()
      await expect(page.getByRole('log').getByText('See the log')).toBeVisible()
    }
    await page.goto(`/account/tickets/${'x'.repeat(22)}`)
    await expect(page.getByRole('heading', { level: 1, name: t(m.messages_not_found) })).toBeVisible()
  })

  await test.step('the desk of the staff', async () => {
    const context = await browser.newContext({ locale })
    const staff = await context.newPage()
    await signIn(staff, olivia)
    await cut(staff, assignTicket)
    await staff.goto('/account/staff-tickets?tab=incoming')
    await staff
      .getByRole('button', { name: t(m.desk_take) })
      .first()
      .click()
    await expect(staff.getByText(t(m.desk_act_failed)).first()).toBeVisible()
    await context.close()
  })
})
