import type { Locale } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { m } from '#texts/messages.js'
import { priorities, topics } from './rules.ts'

const TOPICS = {
  technical: m.tickets_topic_technical,
  finances: m.tickets_topic_finances,
  finances_sales: m.tickets_topic_finances_sales,
  finances_chargeback: m.tickets_topic_finances_chargeback,
  miscellaneous: m.tickets_topic_miscellaneous,
  review: m.tickets_topic_review,
}
const PRIORITIES = {
  critical: m.tickets_priority_critical,
  high: m.tickets_priority_high,
  medium: m.tickets_priority_medium,
  low: m.tickets_priority_low,
  very_low: m.tickets_priority_very_low,
}

// A customer uses tickets on a phone: opens one from the page of a server, is shown which fields are missing, writes more, closes the
// ticket and finds it again. Rows, V-06, K-01, K-02, K-03.
const locale: Locale = 'ru'

test.use({
  locale: browserLocales[locale],
  viewport: { width: 360, height: 780 },
})

test('R-04 R-11 V-06 K-01 K-02 K-03 G-04 a customer asks about a server, and closes the ticket', async ({
  page,
}) => {
  const t = (text: typeof m.ui_save) => text({}, { locale })
  const subject = `${locale} ${Date.now().toString(36)}`
  const { token } = await newCustomer(page, locale)
  const host = await new ServerCalls(page, token).adds('brave-otter-42')

  await test.step('from the page of a server', async () => {
    await page.goto(`/account/servers/host/${host}`)
    await expect(page.getByText(t(m.tickets_of_host_none))).toBeVisible()
    await page.getByRole('link', { name: t(m.tickets_about_host) }).click()
    await expect(page.getByLabel(t(m.tickets_host), { exact: true })).toHaveValue(host)
    await expect(page.getByLabel(t(m.tickets_topic)).getByRole('option')).toHaveText([
      t(m.tickets_topic_choose),
      ...topics.map((topic) => t(TOPICS[topic])),
    ])
    await expect(page.getByLabel(t(m.tickets_priority)).getByRole('option')).toHaveText(
      priorities.map((priority) => t(PRIORITIES[priority])),
    )
  })

  await test.step('V-06: subject, message and topic are needed, each said at its field', async () => {
    await page.getByRole('button', { name: t(m.tickets_create) }).click()
    for (const text of [m.tickets_subject, m.tickets_topic, m.tickets_message])
      await expect(page.getByLabel(t(text), { exact: true })).toHaveAccessibleDescription(
        new RegExp(t(m.error_required)),
      )
    await expectAccessible(page, 'a new ticket that lacks everything')
    await page.getByLabel(t(m.tickets_subject), { exact: true }).fill(subject)
    await page.getByLabel(t(m.tickets_message), { exact: true }).fill('**Slow** at night')
    await page.getByLabel(t(m.tickets_topic), { exact: true }).selectOption('review')
    await page.getByLabel(t(m.tickets_priority), { exact: true }).selectOption('very_low')
    await page.getByRole('button', { name: t(m.tickets_create) }).click()
  })

  await test.step('R-11: its chat has a spacer, no menu; what is said appears', async () => {
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
    await expect(page).toHaveURL(/\/account\/tickets\/[\w-]{22}$/)
    await expect(page.getByRole('button', { name: t(m.shell_menu), exact: true })).toHaveCount(0)
    await expect(page.locator('[data-spacer]')).toBeVisible()
    await expect(page.getByRole('log').locator('strong')).toHaveText('Slow')
    await page.getByRole('textbox', { name: t(m.messages_write) }).fill('And by day')
    await page.getByRole('button', { name: t(m.messages_send) }).click()
    await expect(page.getByRole('log').getByText('And by day')).toBeVisible()
    await expectAccessible(page, 'the chat of a customer')
    const scrolls = () => document.documentElement.scrollWidth > innerWidth
    expect(await page.evaluate(scrolls), 'it does not scroll sideways').toBe(false)
  })

  await test.step('K-02 K-03: closed, and then among the closed ones, at the alias too', async () => {
    await page.getByRole('button', { name: t(m.messages_close) }).click()
    await expect(page.getByText(t(m.messages_closed_may_reply))).toBeVisible()
    await page.goto('/account/support')
    await expect(page.getByText(t(m.tickets_empty_title))).toBeVisible()
    await page.getByRole('link', { name: t(m.tickets_tab_closed), exact: true }).click()
    const row = page.getByRole('listitem').filter({ hasText: subject })
    await expect(row).toContainText(t(m.tickets_topic_review))
    await expect(row).toContainText(t(m.tickets_status_closed))
    await expectAccessible(page, 'the list of a customer')
    await row.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  })

  await test.step('G-04: the desk of the staff is not theirs', async () => {
    await page.goto('/account/staff-tickets')
    await expect(page.getByText(t(m.error_not_allowed)).first()).toBeVisible()
  })

  await test.step('and on the page of its server', async () => {
    await page.goto(`/account/servers/host/${host}`)
    await page.getByRole('link', { name: new RegExp(subject) }).click()
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  })
})
