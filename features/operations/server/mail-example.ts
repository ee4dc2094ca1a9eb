import type { Locale } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { render } from '#foundation/server/mail/layout.ts'
import { mailContext } from '#foundation/server/mail/mail-template.ts'
import { paymentReceived } from '#features/finance/server/finance.ts'
import type * as contract from '#features/operations/company-contract.ts'
import { WORDS } from '#features/operations/company-fields.ts'

/** Returns the mail about a payment, with example data, in each language; `{words}` stands where the words come. */
export const exampleMails = ({ config }: App): contract.CompanyPage['mails'] => ({
  en: exampleIn(config, 'en'),
  de: exampleIn(config, 'de'),
  ru: exampleIn(config, 'ru'),
})

function exampleIn(config: App['config'], locale: Locale): string {
  const operator = { ...config.operator, mailClosing: { en: WORDS, de: WORDS, ru: WORDS } }
  const context = mailContext(config, locale, config.timeZone)
  const values = { amount: toMoney(50_00n, config.currency), balance: toMoney(62_40n, config.currency) }
  const letter = paymentReceived.write(values, context)
  return render(letter, { ...context, config: { ...config, operator }, name: 'Anna' }).text
}
