import { jonas, olivia } from '#app/seed/people.ts'
import { expect, readMail, test } from '#tests/harness/story.ts'
import { idOf } from '#tests/stories/account-calls.ts'
import { Week } from '#tests/stories/counted-presses.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { endWaitOf } from '#tests/stories/story-database.ts'
import { m } from '#texts/messages.js'

const en = { locale: 'en' } as const

test('two accounts of one person are merged, once a second person confirms, and are two again by one act', async ({
  page,
  browser,
}) => {
  const double = await newCustomer(page, 'en', 'double')
  const doubleId = await idOf(page, double.token)
  const calls = new ServerCalls(page, double.token)
  await calls.paysIn('5000')
  await calls.orders('of-the-double', 'standard-month')
  await calls.asks('From the wrong account')
  const context = await browser.newContext({ locale: 'en-GB' })
  const keptPage = await context.newPage()
  const kept = await newCustomer(keptPage, 'en', 'kept')

  const [support, owner] = [await staffAtDesk(browser, jonas), await staffAtDesk(browser, olivia)]
  const [asking, confirming] = [new Week(support), new Week(owner)]
  const parts = support.getByRole('navigation', { name: 'Parts of the customer page' })
  const opensDouble = async () => {
    await asking.opens(m.shell_customers({}, en))
    await support.getByRole('searchbox').fill(double.email)
    const row = support.getByRole('row').filter({ hasText: double.email })
    await expect(row).toHaveCount(1)
    await expect(support).toHaveURL(/q=double/)
    await expect(support.getByRole('table')).toHaveAttribute('aria-busy', 'false')
    await asking.press(row.getByRole('link').first())
    await asking.press(parts.getByRole('link', { name: 'Security' }))
  }

  await asking.task('ask for the merge of two accounts', 5, async () => {
    await opensDouble()
    await asking.press(support.getByRole('button', { name: m.customers_merge({}, en) }))
    const dialog = support.getByRole('dialog')
    await dialog.getByLabel(m.customers_merge_email({}, en)).fill(kept.email)
    await dialog.locator('[name=identity]').fill('Called back on both numbers')
    await dialog.locator('[name=reason]').fill('Two accounts by mistake')
    await asking.press(dialog.getByRole('button', { name: m.customers_merge({}, en) }))
    await expect(support.getByText(m.customers_merge_waits({}, en)).first()).toBeVisible()
  })

  await confirming.task('confirm the merge', 3, async () => {
    // The link says how many wait.
    await confirming.press(owner.getByRole('link', { name: /^Approvals/ }))
    const asked = owner.getByRole('listitem').filter({ hasText: kept.email })
    await confirming.press(asked.getByRole('button', { name: 'Approve' }))
    await confirming.press(owner.getByRole('dialog').getByRole('button', { name: 'Approve' }))
    await expect(owner.getByText('Approved and carried out').first()).toBeVisible()
  })
  // Both are mailed a link that stops it, and nothing has changed yet.
  for (const { email } of [double, kept]) await readMail(page, email, /view=factor-reset/)
  await expect(support.getByText(/The account is merged into .* requested by/)).toBeVisible()
  await page.goto('/account/servers')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await endWaitOf(doubleId)
  await expect(
    support.getByRole('link', { name: m.customers_merged_into({ email: kept.email }, en) }),
  ).toBeVisible()
  // The open page of the account is signed out, and the other one has everything.
  await expect(page).toHaveURL(/\/account\/auth/)
  await readMail(page, double.email, new RegExp(`Sign in with ${kept.email}`))
  await keptPage.goto('/account/servers')
  await expect(keptPage.getByText('of-the-double').first()).toBeVisible()
  await keptPage.goto('/account/finances')
  await expect(keptPage.getByText('Charge', { exact: false }).first()).toBeVisible()
  await keptPage.goto('/account/tickets')
  await expect(keptPage.getByText('From the wrong account').first()).toBeVisible()

  await asking.task('undo the merge', 5, async () => {
    await opensDouble()
    await asking.press(support.getByRole('button', { name: m.customers_unmerge({}, en) }))
    const dialog = support.getByRole('dialog')
    await dialog.locator('[name=reason]').fill('Two people after all')
    await asking.press(dialog.getByRole('button', { name: m.customers_unmerge({}, en) }))
    await expect(support.getByText(m.customers_unmerged({}, en)).first()).toBeVisible()
  })
  await readMail(page, double.email, /are two accounts again/)
  await keptPage.goto('/account/servers')
  await expect(keptPage.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(keptPage.getByText('of-the-double')).toHaveCount(0)
  for (const one of [context, support.context(), owner.context()]) await one.close()
})
