import type { NumberRange } from '#features/invoices/server/invoices.ts'
import type { Locale } from '#foundation/locale.ts'
import { decimalText, toMoney } from '#foundation/money.ts'
import { UTF8_MARK, csvLine } from '#foundation/csv.ts'
import * as m from '#texts/messages.js'
import { accountNames, type AccountName } from './accounts.ts'
import type { Comparison, Tally } from './control.ts'
import type { Batch } from './file.ts'

type Sheet = {
  batch: Batch
  tally: Tally
  comparisons: readonly Comparison[]
  numbers: readonly NumberRange[]
}

/**
 * Returns the control sheet of a month as CSV: the sums of the file by account, and their comparison with the ledger. A person
 * checks it before they import the file.
 */
export function controlSheet({ batch, tally, comparisons, numbers }: Sheet, locale: Locale): string {
  const { datev, currency, month } = batch
  const said = { locale }
  const amount = (minor: bigint) => decimalText(toMoney(minor, currency))
  const lines = [
    [m.books_control({}, said), month, `${datev.adviser}/${datev.client}`, datev.chart, currency],
    [],
    [
      m.books_control_account({}, said),
      m.books_control_name({}, said),
      m.books_control_debit({}, said),
      m.books_control_credit({}, said),
    ],
    ...accountNames.map((name) => [
      datev.accounts[name],
      accountTexts[name]({}, said),
      amount(tally.debit[name]),
      amount(tally.credit[name]),
    ]),
    [],
    [
      m.books_control_compared({}, said),
      m.books_country({}, said),
      m.books_control_file({}, said),
      m.books_control_ledger({}, said),
      m.books_control_difference({}, said),
    ],
    ...comparisons.map(({ name, country, written, ledger }) => [
      comparedTexts[name]({}, said),
      country,
      amount(written),
      amount(ledger),
      amount(written - ledger),
    ]),
    [],
    [
      m.books_control_first({}, said),
      m.books_control_last({}, said),
      m.books_control_missing({}, said),
      m.books_control_rows({}, said),
    ],
    ...numbers.map(({ first, last, missing }) => [first, last, String(missing), '']),
    ['', '', '', String(tally.rows)],
  ]
  // Without this byte order mark spreadsheets do not read the text as UTF-8.
  return `${UTF8_MARK}${lines.map(csvLine).join('')}`
}

const accountTexts = {
  prepaid: m.books_account_prepaid,
  clearing: m.books_account_clearing,
  promotion: m.books_account_promotion,
  home: m.books_kind_standard,
  oss: m.books_kind_oss,
  reverse_charge: m.books_kind_reverse_charge,
  outside: m.books_kind_outside_eu,
  small_business: m.books_kind_small_business,
} as const satisfies Record<AccountName, unknown>

const comparedTexts = {
  prepaid: m.books_account_prepaid,
  clearing: m.books_account_clearing,
  promotion: m.books_account_promotion,
  revenue: m.books_account_revenue,
  vat: m.books_vat,
} as const satisfies Record<Comparison['name'], unknown>
