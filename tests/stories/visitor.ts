import type { Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { moneyText } from '#foundation/money.ts'

export type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string
type TextOfAmount = (inputs: { amount: string }, options: { locale: Locale }) => string

/** A visitor who reads a page in one language, and finds buttons by their texts. */
export class Visitor {
  readonly page: Page
  readonly locale: Locale

  constructor(page: Page, locale: Locale) {
    this.page = page
    this.locale = locale
  }

  async presses(name: Text): Promise<void> {
    await this.page
      .getByRole('button', { name: this.text(name), exact: true })
      .first()
      .click()
  }

  text(text: Text): string {
    return text({}, { locale: this.locale })
  }

  /** Returns a text with an amount, which is given in cents. */
  says(text: TextOfAmount, amount: string): string {
    return text({ amount: this.euros(amount) }, { locale: this.locale })
  }

  /** Returns an amount in cents as this visitor reads it: '583' is '€5.83' or '5,83 €'. */
  euros(amount: string): string {
    return moneyText({ amount, currency: 'EUR' }, this.locale)
  }
}
