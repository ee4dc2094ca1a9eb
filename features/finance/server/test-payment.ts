import type { Locale } from '#foundation/locale.ts'
import type { TopUpRow } from './top-up-queries.ts'

/** A payment as its page shows it. `locale` and `back` are those of somebody without an account. */
export type TestPayment = Pick<TopUpRow, 'public_id' | 'provider' | 'amount' | 'currency' | 'status'> & {
  back: string
  locale: Locale
}
