import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Locale } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { Visitor, type Text } from '#tests/stories/visitor.ts'
import { m } from '#texts/messages.js'

// A customer tops up, redeems a voucher, and views and filters the transactions, against the whole product.
const locale: Locale = 'de'

test.use({
  locale: browserLocales[locale],
  viewport: { width: 1280, height: 900 },
})

test('F-01 a balance is filled, by a payment that fails first and by a voucher, pulled back and listed', async ({
  page,
  context,
}) => {
  await newCustomer(page, locale)
  const customer = new Customer(page, locale)
  await customer.opens('/account/finances')
  await expect(customer.balance()).toHaveText(customer.euros('0'))
  await expect(page.getByText(customer.text(m.finance_none_title))).toBeVisible()

  const other = new Customer(await context.newPage(), locale)
  await other.opens('/account/finances')

  await customer.beginsTopUp('50')
  await customer.presses(m.finance_test_page_fail)
  await expect(page.getByText(customer.says(m.finance_top_up_failed, '5000'))).toBeVisible()
  await expectAccessible(page, 'a failed payment')

  await customer.beginsTopUp('50')
  await customer.presses(m.finance_test_page_pay)
  await expect(page.getByText(customer.says(m.finance_top_up_paid, '5000'))).toBeVisible()
  await expect(customer.balance()).toHaveText(customer.euros('5000'))
  await expect(other.balance(), 'the other tab hears of it').toHaveText(customer.euros('5000'))
  const paid = new URL(page.url()).searchParams.get('top_up') ?? ''

  await customer.redeems(makeVoucher('25'))
  await expect(customer.balance()).toHaveText(customer.euros('7500'))
  await expect(other.balance()).toHaveText(customer.euros('7500'))

  await page.goto(`/dev/pay/${paid}`)
  await customer.presses(m.finance_test_page_charge_back)
  await expect(page.getByText(customer.says(m.finance_top_up_charged_back, '5000'))).toBeVisible()
  await expect(customer.balance()).toHaveText(customer.euros('2500'))
  await expect(customer.rows()).toHaveCount(3)

  await customer.filtersBy('charge_back', m.finance_type_charge_back)
  await customer.savesCsv(m.finance_type_charge_back)
})

test('F-01 a top-up keeps its form while the network is away, and a bank transfer shows what to write on it', async ({
  page,
  context,
}) => {
  await newCustomer(page, locale)
  const customer = new Customer(page, locale)
  await customer.opens('/account/finances?missing=1240')
  const amount = page.getByLabel(customer.text(m.finance_amount), { exact: true })
  await expect(amount).toHaveValue('12,40')
  await amount.fill('33')
  await page.getByRole('radio', { name: customer.text(m.finance_provider_bank) }).check()
  await context.setOffline(true)
  await customer.presses(m.finance_top_up_go)
  await expect(page.getByText(customer.text(m.error_network)).first()).toBeVisible()
  await expect(amount).toHaveValue('33')
  await context.setOffline(false)
  await customer.presses(m.finance_top_up_go)
  await expect(page.getByText(customer.says(m.finance_top_up_bank, '3300'))).toBeVisible()
  await expect(page.getByText(customer.text(m.finance_bank_reference), { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/account\/finances\?top_up=[\w-]{22}$/)
})

class Customer extends Visitor {
  async opens(path: string): Promise<void> {
    await this.page.goto(path)
    await expect(
      this.page.getByRole('heading', { level: 1, name: this.text(m.shell_finances) }),
    ).toBeVisible()
  }

  balance() {
    return this.page
      .getByRole('region', { name: this.text(m.finance_balance) })
      .locator('p')
      .first()
  }

  rows() {
    return this.page.getByRole('list', { name: this.text(m.finance_transactions) }).getByRole('listitem')
  }

  /** Begins a top-up, which leads from the finances to the payment page of the test provider. */
  async beginsTopUp(amount: string): Promise<void> {
    await this.page
      .getByRole('region', { name: this.text(m.finance_balance) })
      .getByRole('button', { name: this.text(m.finance_top_up) })
      .click()
    await this.page.getByLabel(this.text(m.finance_amount), { exact: true }).fill(amount)
    await this.page.getByRole('radio', { name: this.text(m.finance_provider_test) }).check()
    await this.presses(m.finance_top_up_go)
    await expect(this.page.getByRole('heading', { name: this.text(m.finance_test_page_title) })).toBeVisible()
  }

  async redeems(code: string): Promise<void> {
    await this.presses(m.finance_voucher_redeem)
    const dialog = this.page.getByRole('dialog', { name: this.text(m.finance_voucher_title) })
    const field = dialog.getByLabel(this.text(m.finance_voucher_code))
    const redeem = dialog.getByRole('button', { name: this.text(m.finance_voucher_redeem) })
    await field.fill('NO-SUCH-CODE')
    await redeem.click()
    await expect(dialog.getByText(this.text(m.error_voucher_invalid))).toBeVisible()
    await expect(field).toHaveValue('NO-SUCH-CODE')
    await field.fill(` ${code.toLowerCase()} `)
    await redeem.click()
    await expect(this.page.getByText(this.says(m.finance_voucher_done, '2500')).first()).toBeVisible()
    await expect(dialog).toBeHidden()
  }

  async filtersBy(type: string, name: Text): Promise<void> {
    await this.page.getByLabel(this.text(m.finance_filter_type), { exact: true }).selectOption(type)
    await expect(this.rows()).toHaveCount(1)
    await expect(this.rows().first()).toContainText(this.text(name))
    await expect(this.rows().first()).toContainText(`−${this.euros('5000')}`)
    await this.page.reload()
    await expect(this.rows(), 'the address keeps the filter').toHaveCount(1)
  }

  async savesCsv(holds: Text): Promise<void> {
    const saving = this.page.waitForEvent('download')
    await this.presses(m.finance_download_csv)
    const file = await (await saving).path()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(this.text(holds))
  }
}

/** Makes a voucher by the operator's command while the product runs, and returns its code. */
function makeVoucher(amount: string): string {
  const made = execFileSync(process.execPath, ['app/cli/main.ts', 'voucher', 'make', amount, '1', '30'], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: process.env['STORY_DATA_DIR'] },
  })
  return made.split('\n')[0] ?? ''
}
