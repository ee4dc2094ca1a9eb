import type { Locale } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { newStaff } from '#tests/stories/new-staff.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { m } from '#texts/messages.js'

// A customer asks and two members of staff answer, each in a browser of their own, against the whole product. Row R-03: the list and the
// chat of staff. Row K-03: a ticket that staff take and close.
const locale: Locale = 'ru'

test.use({
  locale: browserLocales[locale],
  viewport: { width: 1280, height: 900 },
})

test('R-03 K-03 staff see a question come in, sort it out, answer it by keys alone, and go on', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const subject = `${locale} ${Date.now().toString(36)}`
  const customer = await newCustomer(page, locale)
  const { page: staff, email: staffEmail } = await newStaff(browser, locale)
  const t = (text: typeof m.ui_save) => text({}, { locale })

  await staff.goto(`/account/staff-tickets?tab=incoming&q=${encodeURIComponent(subject)}`)
  await expect(staff.getByText(t(m.desk_none_found), { exact: true })).toBeVisible()
  await new ServerCalls(page, customer.token).asks(subject)
  const row = staff.getByRole('listitem').filter({ hasText: subject })
  await expect(row, 'it appears by itself').toBeVisible()
  await expectAccessible(staff, 'the staff’s list')

  await test.step('from the list to the ticket, and taking it, by keys', async () => {
    await staff.getByRole('heading', { level: 1 }).focus()
    await staff.keyboard.press('j')
    await staff.keyboard.press('Enter')
    await expect(staff.getByRole('heading', { level: 1, name: subject })).toBeVisible()
    await expect(staff.getByRole('button', { name: t(m.desk_take), exact: true })).toBeVisible()
    await staff.keyboard.press('t')
    await expect(staff.getByRole('button', { name: t(m.desk_you_have_it) })).toBeVisible()
    await expect(staff.getByRole('complementary', { name: t(m.desk_card) })).toContainText(customer.email)
    await expectAccessible(staff, 'the staff’s chat')
  })

  await test.step('a note stays among staff, a reply reaches the customer', async () => {
    await page.goto('/account/tickets')
    await page.getByRole('link', { name: new RegExp(subject) }).click()
    await staff.keyboard.press('i')
    await staff.keyboard.type(`secret ${subject}`)
    await staff.keyboard.press('Enter')
    await staff.keyboard.press('Escape')
    await staff.keyboard.press('r')
    await staff.keyboard.type(`answer ${subject}`)
    await staff.keyboard.press('Enter')
    await expect(page.getByText(`answer ${subject}`)).toBeVisible()
    await expect(staff.getByText(`secret ${subject}`)).toBeVisible()
    expect(await page.getByText(`secret ${subject}`).count()).toBe(0)
  })

  await test.step('two members of staff see each other at one ticket, and one hands it over to the other', async () => {
    const { page: colleague, email: colleagueEmail } = await newStaff(browser, locale)
    await colleague.goto(new URL(staff.url()).pathname)
    await expect(staff.getByRole('status').filter({ hasText: colleagueEmail })).toBeVisible()
    await expect(colleague.getByRole('status').filter({ hasText: staffEmail })).toBeVisible()
    await staff.keyboard.press('Escape')
    await staff.getByRole('button', { name: t(m.desk_you_have_it) }).click()
    await expectAccessible(staff, 'the menu of colleagues')
    await staff.getByRole('menuitem', { name: t(m.desk_hand_over_with_note) }).click()
    await staff.getByLabel(t(m.desk_assignee), { exact: true }).selectOption({ label: colleagueEmail })
    await staff.getByLabel(t(m.desk_hand_over_note), { exact: true }).fill(`called ${subject}`)
    await expectAccessible(staff, 'handing over with a note')
    await staff.getByRole('button', { name: t(m.desk_hand_over), exact: true }).click()
    await expect(colleague.getByText(`called ${subject}`)).toBeVisible()
    await expect(colleague.getByRole('button', { name: t(m.desk_you_have_it) })).toBeVisible()
    await colleague.context().close()
  })

  await test.step('a canned reply is kept, found by a slash, and put in', async () => {
    const field = staff.getByRole('textbox', { name: t(m.messages_write), exact: true })
    await staff.getByRole('button', { name: t(m.desk_replies), exact: true }).click()
    await staff.getByRole('button', { name: t(m.desk_replies_manage) }).click()
    await staff.getByRole('button', { name: t(m.desk_reply_new) }).click()
    await expectAccessible(staff, 'the form of a canned reply')
    await staff.getByLabel(t(m.desk_reply_title), { exact: true }).fill(subject)
    await staff.getByLabel(t(m.desk_reply_text), { exact: true }).fill(`{customer}: ${subject}`)
    await staff.getByRole('button', { name: t(m.ui_save) }).click()
    await expect(staff.getByText(t(m.desk_reply_saved)).first()).toBeVisible()
    await staff.keyboard.press('Escape')
    await staff.keyboard.press('Escape')
    await field.click()
    await field.press('/')
    await expect(staff.getByRole('combobox', { name: t(m.desk_replies_search) })).toBeFocused()
    await staff.keyboard.type(subject)
    await expect(staff.getByRole('option').first()).toContainText(subject)
    await expectAccessible(staff, 'the choice of a canned reply')
    await staff.keyboard.press('Enter')
    await expect(field).toHaveValue(`${customer.email}: ${subject}`)
  })

  await test.step('closed as spam by one press, and back by another', async () => {
    await staff.getByRole('button', { name: t(m.desk_spam), exact: true }).click()
    await expect(page.getByText(t(m.messages_closed_may_reply))).toBeVisible()
    await staff.getByRole('button', { name: t(m.ui_undo), exact: true }).click()
    await expect(page.getByText(t(m.messages_closed_may_reply))).toBeHidden()
  })

  await test.step('closed, and found again from anywhere by the palette', async () => {
    await staff.getByRole('button', { name: t(m.messages_close), exact: true }).click()
    await expect(page.getByText(t(m.messages_closed_may_reply))).toBeVisible()
    await staff.goto('/account/settings/account')
    await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
    await staff.keyboard.press('Control+k')
    await staff.getByRole('combobox', { name: t(m.shell_palette_search) }).fill(subject)
    await expect(staff.getByRole('option', { name: new RegExp(subject) })).toBeVisible()
    await expectAccessible(staff, 'the palette')
    await staff.keyboard.press('Enter')
    await expect(staff.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  })
  await staff.context().close()
})
