import { digitsOf } from '#foundation/money.ts'
import { parseAmount } from '#foundation/web/i18n/money.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** Amount and reason: the fields of every act of staff that moves money. */
export function MoneyFields({ currency, amount }: { currency: string; amount?: string }) {
  return (
    <>
      <TextField
        name="amount"
        label={m.customers_amount({ currency })}
        defaultValue={amount}
        inputMode={digitsOf(currency) === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
      />
      <TextField
        name="reason"
        label={m.customers_reason()}
        hint={m.customers_reason_hint()}
        most={200}
        autoComplete="off"
        required
      />
    </>
  )
}

/** As the API takes it: minor units, more than none; undefined where no amount was typed. */
export function amountIn(typed: string, currency: string): string | undefined {
  const amount = parseAmount(typed, digitsOf(currency))
  return amount === undefined || amount <= 0n ? undefined : amount.toString()
}
