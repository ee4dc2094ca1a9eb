import { anna, olivia } from '#app/seed/people.ts'
import { expect, readMail, test } from '#tests/harness/story.ts'
import { must } from '#foundation/must.ts'
import { m } from '#texts/messages.js'
import { Week } from './counted-presses.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { staffAtDesk } from './staff-at-desk.ts'

const en = { locale: 'en' } as const

// The tasks of a week that no other story goes through; docs/operate/week.md lists all of them with their presses.
test('a week of an operator: servers and those whom they are of, who owes, who wants news, the VAT, and the words of a mail', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'en', 'of-the-week')
  const ipv4 = `198.19.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250) + 1}`
  const calls = new ServerCalls(page, customer.token)
  const topUp = await calls.paysIn('5000')
  await calls.orders('of-the-week', 'standard-month', ipv4)
  // The bank takes the money back, and the customer owes it.
  await calls.pullsBack(topUp)
  const staff = await staffAtDesk(browser, olivia)
  const week = new Week(staff)

  await week.task('change the IPv4 of a server that the list of all servers finds', 5, async () => {
    await week.opens(m.customers_servers({}, en))
    const row = staff.getByRole('row').filter({ hasText: ipv4 })
    // The newest servers come first, and other stories may have added a page of them meanwhile.
    const more = staff.getByRole('button', { name: m.ui_load_more({}, en) })
    await expect(async () => {
      if ((await row.count()) === 0 && (await more.isVisible())) await more.click()
      await expect(row).toHaveCount(1, { timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
    await week.press(row.getByRole('button'))
    await week.press(staff.getByRole('menuitem', { name: m.customers_help_host({}, en) }))
    const dialog = staff.getByRole('dialog')
    await dialog.locator('[name=ipv4]').fill(ipv4.replace('198.19', '198.18'))
    await dialog.locator('[name=reason]').fill('Moved to another rack')
    await week.press(dialog.getByRole('button', { name: m.customers_help_host_addresses({}, en) }))
    await expect(staff.getByRole('row').filter({ hasText: ipv4.replace('198.19', '198.18') })).toHaveCount(1)
  })

  await week.task('write to the customers of all servers that are offline', 3, async () => {
    await week.opens(m.customers_servers({}, en))
    await week.press(staff.getByRole('button', { name: m.customers_servers_offline({}, en) }))
    await expect(staff).toHaveURL(/state=offline/)
    await week.press(staff.getByRole('link', { name: m.customers_write_to_found({}, en) }))
    await expect(staff.getByRole('dialog')).toBeVisible()
    await staff.keyboard.press('Escape')
  })

  await week.task('find a customer by what they say', 2, async () => {
    await week.opens(m.shell_customers({}, en))
    const search = staff.getByRole('searchbox')
    const found = staff.getByRole('row').filter({ hasText: anna.email })
    for (const words of ['Berger Anna', 'Lindenweg 7', anna.email]) {
      await search.fill(words)
      await expect(found, words).toHaveCount(1)
    }
    // The answer to the last words replaces the rows.
    await expect(staff).toHaveURL(/q=anna/)
    await expect(staff.getByRole('table')).toHaveAttribute('aria-busy', 'false')
    await week.press(found.getByRole('link').first())
    await expect(staff).toHaveURL(/staff-customers\//)
  })

  await week.task('save who owes, with the age of each debt', 3, async () => {
    await week.opens(m.shell_customers({}, en))
    await week.press(staff.getByRole('button', { name: m.customers_in_debt({}, en) }))
    await expect(staff).toHaveURL(/debt=yes/)
    const lines = await week.saves(staff.getByRole('button', { name: 'CSV' }))
    const owes = lines.filter((line) => line.includes(customer.email))
    expect(owes).toHaveLength(1)
    expect(lines[0]).toContain(m.customers_owes_since({}, en))
    // The debt began today: its day, and no day of age yet.
    const columns = must(lines[0]).split(/[,;\t]/)
    const [since, days] = [m.customers_owes_since({}, en), m.customers_owes_days({}, en)].map(
      (head) => must(owes[0]).split(/[,;\t]/)[columns.findIndex((name) => name.includes(head))],
    )
    expect(since).toContain(new Date().toISOString().slice(0, 10))
    expect(days).toMatch(/^"?0"?$/)
  })

  await week.task('save who wants news', 2, async () => {
    await week.opens(m.announcements_title({}, en))
    const lines = await week.saves(staff.getByRole('button', { name: m.announcements_news_readers({}, en) }))
    expect(lines[0]).toMatch(/mail/i)
  })

  await week.task('make the VAT returns of a quarter', 4, async () => {
    await week.opens(m.books_title({}, en))
    await week.press(staff.getByRole('button', { name: m.books_export_new({}, en) }))
    const dialog = staff.getByRole('dialog')
    await dialog.locator('[name=kind]').selectOption('vat')
    await week.press(dialog.locator('[type=submit]'))
    const file = staff
      .getByRole('list', { name: m.books_exports({}, en) })
      .getByRole('listitem')
      .filter({ hasText: m.books_export_vat({}, en) })
      .first()
    await expect(file).toBeVisible()
    await week.saves(file.getByRole('button', { name: m.books_export_fetch({}, en) }))
  })

  await week.task('say a mail in own words, and go back to ours', 9, async () => {
    await week.opens(m.operations_company({}, en))
    const words = /has come to us/
    await week.press(staff.getByRole('button', { name: m.operations_mails_open({}, en) }))
    await staff.getByRole('searchbox').fill('payment_received')
    // The list is filtered a moment after the last key.
    await expect(staff.getByRole('button', { name: m.operations_company_closing_en({}, en) })).toHaveCount(1)
    await week.press(staff.getByRole('button', { name: m.operations_company_closing_en({}, en) }))
    await staff.getByLabel(m.operations_mails_part({ number: 1 }, en)).fill('{amount} has come to us.')
    await week.press(staff.getByRole('button', { name: m.operations_mails_preview({}, en) }))
    await week.press(staff.getByRole('dialog').locator('summary').first())
    await expect(staff.getByRole('dialog').locator('details p').first()).toHaveText(words)
    await week.press(staff.getByRole('button', { name: m.ui_save({}, en) }))
    await expect(staff.getByRole('dialog')).toContainText(m.operations_mails_changed({ languages: 'EN' }, en))
    await calls.paysIn('5000')
    await readMail(page, customer.email, words)
    await week.press(staff.getByRole('button', { name: m.operations_company_closing_en({}, en) }))
    await week.press(
      staff.getByRole('dialog').locator('summary', { hasText: m.operations_company_history({}, en) }),
    )
    await week.press(
      staff
        .getByRole('dialog')
        .getByRole('button', { name: m.operations_company_restore({}, en) })
        .last(),
    )
    await expect(staff.getByRole('dialog')).not.toContainText(
      m.operations_mails_changed({ languages: 'EN' }, en),
    )
  })
  await staff.context().close()
})
