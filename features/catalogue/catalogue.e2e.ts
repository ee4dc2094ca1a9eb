import type { Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, readMail, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

test('a price is raised from next month by keyboard alone, at 360 px in German', async ({ browser }) => {
  const locale = 'de'
  const said = { locale } as const
  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  const day = new DayAtDesk(staff, locale)
  await day.go('l', m.catalogue_title({}, said))
  // No example customer renews this plan.
  const row = staff.getByRole('listitem').filter({ hasText: 'starter-year' })
  await day.press(row.getByRole('button'))
  await expect(staff.getByRole('menuitem', { name: m.catalogue_price({}, said) })).toBeFocused()
  await staff.keyboard.press('Enter')
  const dialog = staff.getByRole('dialog')
  await expect(dialog.locator('[name=price_net]')).toBeFocused()
  await day.type('price_net', '4711')
  await expect(dialog.getByText(m.catalogue_nobody_pays({}, said))).toBeVisible()
  await expectAccessible(staff, 'the dialog of a price')
  await staff.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(row).toContainText(/4[.,\s\u{a0}]?711/u)
  await staff.context().close()
})

const shownEditions = (staff: Page) =>
  staff.locator('[id^=edition-]').evaluateAll((all) => all.map(({ id }) => id.slice('edition-'.length)))

/** Opens the menu of an edition by keyboard, and moves the edition by one place. */
async function move(staff: Page, slug: string | undefined, text: string): Promise<void> {
  await staff.locator(`#edition-${slug} > button`).press('Enter')
  await staff.getByRole('menuitem', { name: text, exact: true }).press('Enter')
}

// The tests run one after the other, because they change the same list of plans.
test.describe('the order of plans', () => {
  test.describe.configure({ mode: 'default' })

  test('an edition is moved down and up again by keyboard alone, and the focus goes along', async ({
    browser,
  }) => {
    const staff = await staffAtDesk(browser, olivia, { locale: 'ru', width: 360 })
    const said = { locale: 'ru' } as const
    await goByKeys(staff, 'l', m.catalogue_title({}, said))
    await expect(staff.locator('[id^=edition-]').first()).toBeVisible()
    const [first, second] = await shownEditions(staff)
    // The answer of each move tells the new order, so that the next press is not refused while the list would load again.
    await staff.route('**/api/staff/plans/', () => {})
    await move(staff, first, m.catalogue_down({}, said))
    await expect.poll(async () => (await shownEditions(staff)).slice(0, 2)).toEqual([second, first])
    await expect(staff.locator(`#edition-${first} > button`)).toBeFocused()
    await expectAccessible(staff, 'plans in another order')
    await move(staff, first, m.catalogue_up({}, said))
    await expect.poll(async () => (await shownEditions(staff)).slice(0, 2)).toEqual([first, second])
    await expect(staff.locator(`#edition-${first} > button`)).toBeFocused()
    await staff.context().close()
  })

  test('rule 45: an edition that is moved in one tab stays where it is while another tab shows the order of before', async ({
    browser,
  }) => {
    const staff = await staffAtDesk(browser, olivia)
    const [up, down] = [m.catalogue_up({}, { locale: 'en' }), m.catalogue_down({}, { locale: 'en' })]
    await staff.route('**/api/events/**', (route) => route.abort())
    await goByKeys(staff, 'l', m.catalogue_title({}, { locale: 'en' }))
    await expect(staff.locator('[id^=edition-]').first()).toBeVisible()
    const [first, second, third, ...others] = await shownEditions(staff)
    const other = await staff.context().newPage()
    await other.goto(staff.url())
    const moved = other.waitForResponse((answer) => answer.request().method() !== 'GET')
    await move(other, second, down)
    await moved
    await expect(other.locator(`#edition-${second} > button`)).toBeFocused()
    // This tab still shows the second edition as the second.
    expect(await shownEditions(staff)).toEqual([first, second, third, ...others])
    await move(staff, first, down)
    await expect(staff.getByText(m.catalogue_order_changed({}, { locale: 'en' }))).toBeVisible()
    await expect.poll(() => shownEditions(staff)).toEqual([first, third, second, ...others])
    await move(staff, second, up)
    await expect.poll(() => shownEditions(staff)).toEqual([first, second, third, ...others])
    await staff.context().close()
  })

  test('L-20 the servers of a retired plan are moved to another in three presses, and kept in two', async ({
    page,
    browser,
  }) => {
    const staff = await staffAtDesk(browser, olivia, { width: 360 })
    const said = { locale: 'en' } as const
    const name = { en: 'Leaving', de: 'Leaving', ru: 'Leaving' }
    const plan = { slug: 'going-away', term: 'P1M', price_net: '900', name }
    const own = (await staff.evaluate(() => localStorage.getItem('access_token'))) ?? ''
    await callApi(staff, 'POST', '/api/staff/plans/', { token: own, data: plan, status: 201 })
    const { email, token } = await newCustomer(page, 'en', 'leaving')
    const calls = new ServerCalls(page, token)
    await calls.paysIn('5000')
    const host = await calls.orders('leaving', 'going-away')
    // On a busy machine the mail of the invoice would come after the mail of the move, and would be the newest.
    await readMail(page, email, /invoice/)
    await callApi(page, 'PATCH', `/api/hosts/${host}/`, { token, data: { auto_renew: true }, status: 200 })

    await goByKeys(staff, 'l', m.catalogue_title({}, said))
    const row = staff.getByRole('listitem').filter({ hasText: 'going-away' })
    const choose = async (text: string) => {
      await row.getByRole('button').press('Enter')
      await staff.getByRole('menuitem', { name: text }).press('Enter')
    }
    await choose(m.catalogue_retire({}, said))
    await expect(row).toContainText(m.catalogue_retired({}, said))
    await choose(m.catalogue_move_customers({}, said))
    const dialog = staff.getByRole('dialog')
    await expect(dialog).toContainText(/1 licence, 1 customer/)
    await expectAccessible(staff, 'the dialog that moves customers')
    await dialog.getByRole('button', { name: m.catalogue_move_customers({}, said) }).press('Enter')
    await expect(row).toContainText(/renews with /)
    expect((await readMail(page, email, /at most/)).text).toContain('Leaving')
    await choose(m.catalogue_move_undo({}, said))
    await expect(row).not.toContainText(/renews with /)
    await readMail(page, email, /keeps Leaving/)
    await staff.context().close()
  })
})

test('staff make a voucher whose code is shown once, a customer redeems it, and staff void its remaining use', async ({
  page,
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia)
  await goByKeys(staff, 'l', 'Plans and vouchers')
  await staff.getByRole('button', { name: 'Create voucher' }).press('Enter')
  const note = `Fair ${Date.now().toString(36)}`
  await expect(staff.getByLabel('Value in EUR')).toBeFocused()
  await staff.keyboard.type('7.50')
  await staff.getByLabel('How many customers may redeem it').fill('2')
  await staff.getByLabel('Note for staff').fill(note)
  const word = note.replace(' ', '-').toUpperCase()
  await staff.getByLabel('Code of your own').fill(word)
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('Copy it now')).toBeVisible()
  const code = (await staff.getByRole('dialog').locator('code').textContent()) ?? ''
  expect(code).toBe(word)
  await expectAccessible(staff, 'the code of a voucher')
  await staff.getByRole('button', { name: 'I’ve copied it' }).press('Enter')

  const { token } = await newCustomer(page, 'en', 'redeeming')
  const headers = { 'idempotency-key': `redeem-${note}` }
  await callApi(page, 'POST', '/api/finances/vouchers/', { token, headers, data: { code }, status: 201 })

  await staff.reload()
  const row = staff.getByRole('row').filter({ hasText: note })
  await expect(row).toContainText('1 of 2')
  await expectAccessible(staff, 'plans and vouchers')
  await row.getByRole('button', { name: /^Void voucher/ }).press('Enter')
  await expect(staff.getByLabel('Reason')).toBeFocused()
  await staff.keyboard.type('Posted in a forum')
  await staff.keyboard.press('Enter')
  await expect(row).toContainText('Void')
  await expect(row).toContainText('Posted in a forum')
  await staff.context().close()
})
