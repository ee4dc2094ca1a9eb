import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { anna } from '#app/seed/people.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { m } from '#texts/messages.js'

// Anna looks back on her year: her expenses, and the documents for them.
const locale: Locale = 'ru'

test.use({
  locale: browserLocales[locale],
  viewport: { width: 1280, height: 900 },
})
const options = { locale }

test('F-02 an invoice opens from its transaction, prints on one page, and comes as PDF and XML', async ({
  page,
}) => {
  await opensFinances(page, locale)
  const renewal = m.finance_type_inner_spending({}, options)
  await rowsOf(page, locale).filter({ hasText: renewal }).first().getByRole('link').click()
  await expect(page).toHaveURL(/\/account\/invoices\/[\w-]{22}$/)
  const heading = page.getByRole('heading', { level: 1, name: m.invoices_invoice({}, options) })
  await expect(heading).toContainText(/HD-\d{4}-\d{6}/)
  const number = /HD-\d{4}-\d{6}/.exec((await heading.textContent()) ?? '')?.[0] ?? ''
  await expect(page.getByText('harbour-web-01').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByRole('cell', { name: /^19\s?%$/ })).toBeVisible()

  // Each amount opens to its parts, also by keyboard.
  const article = page.getByRole('article')
  const opens = article.getByRole('button')
  await expect(opens).toHaveCount(4)
  await opens.last().focus()
  await page.keyboard.press('Enter')
  await expect(opens.last()).toHaveAttribute('aria-expanded', 'true')
  await expect(article.getByText(m.invoices_part_sum({}, options), { exact: true })).toBeVisible()
  await opens.nth(2).click()
  await expect(article.getByText(/НДС страны продавца \(Германия\)/)).toBeVisible()
  await opens.first().click()

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  expect(pagesOf(await page.pdf({ format: 'A4' })), 'one sheet').toBe(1)
  await page.emulateMedia({ media: 'screen' })

  const pdf = await saved(page, m.invoices_pdf({}, options))
  expect(pdf.name).toBe(`${number}.pdf`)
  expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-')
  const xml = await saved(page, m.invoices_xml({}, options))
  expect(xml.name).toBe(`${number}-xrechnung.xml`)
  expect(xml.content.toString()).toContain(number)
})

test('F-02 a credit note names the invoice it corrects, and leads there', async ({ page }) => {
  await opensFinances(page, locale)
  await rowsOf(page, locale).filter({ hasText: 'by mistake' }).first().getByRole('link').click()
  const name = m.invoices_cancellation({}, options)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page
    .getByRole('term')
    .filter({ hasText: m.invoices_corrects({}, options) })
    .waitFor()
  await page.getByRole('article').getByRole('link', { name: /^HD-/ }).click()
  await expect(page.getByText(m.invoices_status_void({}, options), { exact: true })).toBeVisible()
})

test('F-01 the balance lasts until a day, the next renewal is named, the year is filtered and taken along', async ({
  page,
}) => {
  await opensFinances(page, locale)
  const card = page.getByRole('region', { name: m.finance_balance({}, options) })
  const lasts = m.finance_lasts_until({ date: '#' }, options).split('#')[0] ?? ''
  await expect(card).toContainText(lasts.trim())
  await expect(card.getByRole('link', { name: 'harbour-web-01' })).toBeVisible()

  await page.getByLabel(m.finance_filter_type({}, options), { exact: true }).selectOption('charge_back')
  await expect(rowsOf(page, locale)).toHaveCount(1)
  await expect(rowsOf(page, locale)).toContainText(m.finance_type_charge_back({}, options))
  const one = await saved(page, m.finance_download_csv({}, options))
  expect(one.content.toString().trim().split('\n')).toHaveLength(2)

  await page.getByLabel(m.finance_filter_type({}, options), { exact: true }).selectOption('')
  await expect(rowsOf(page, locale)).not.toHaveCount(1)
  const all = await saved(page, m.finance_download_csv({}, options))
  const lines = all.content.toString().trim().split('\n')
  expect(lines.length).toBeGreaterThan(25)
  // The file is in the language of the account, which stories that run at the same time may have changed.
  const content = all.content.toString()
  const tells = (one: Locale) => TYPES.every((text) => content.includes(text({}, { locale: one })))
  expect(locales.filter(tells), content).toHaveLength(1)
})

const TYPES = [
  m.finance_type_fill_balance,
  m.finance_type_fill_balance_voucher,
  m.finance_type_charge_back,
  m.finance_type_spend,
  m.finance_type_return_on_balance,
  m.finance_type_inner_spending,
  m.finance_type_inner_refund,
]

async function opensFinances(page: Page, locale: Locale): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
  await signIn(page, anna)
  await page.goto('/account/finances')
  await expect(rowsOf(page, locale).first()).toBeVisible()
}

const rowsOf = (page: Page, locale: Locale) =>
  page.getByRole('list', { name: m.finance_transactions({}, { locale }) }).getByRole('listitem')

async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  const file = await saving
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** Returns the number of pages in a PDF. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
