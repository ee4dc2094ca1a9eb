import { useRef } from 'react'
import { amountOf, digitsOf, toMoney } from '#foundation/money.ts'
import { formatMoney, parseAmount, typedAmount } from '#foundation/web/i18n/money.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { controlClass } from '#foundation/web/ui/control-class.ts'
import { Field } from '#foundation/web/ui/field.tsx'
import { m } from '#texts/messages.js'
import type { Finances } from './hooks.ts'

type Props = { limits: Finances['top_up']; typed: string; onType: (typed: string) => void }

/** A field for an amount, with buttons for a few common amounts. The limits are shown before they are exceeded. */
export function AmountField({ limits: { min, max }, typed, onType }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { currency } = min
  const digits = digitsOf(currency)
  const amount = parseAmount(typed, digits)
  const choices = CHOICES.map((whole) => whole * 10n ** BigInt(digits)).filter(
    (choice) => choice >= amountOf(min) && choice <= amountOf(max),
  )
  const choose = (choice: bigint) => {
    onType(typedAmount(toMoney(choice, currency)))
    input.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <Field
        name="amount"
        label={m.finance_amount()}
        hint={m.finance_amount_hint({ min: formatMoney(min), max: formatMoney(max) })}
      >
        {(control) => (
          <div className="relative">
            <input
              {...control}
              ref={input}
              type="text"
              inputMode={digits === 0 ? 'numeric' : 'decimal'}
              autoComplete="off"
              required
              value={typed}
              onChange={(event) => onType(event.target.value)}
              className={classNames(controlClass, 'pr-14')}
            />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-muted"
            >
              {currency}
            </span>
          </div>
        )}
      </Field>
      <div role="group" aria-label={m.finance_amount_choices()} className="grid grid-cols-4 gap-2">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === amount}
            onClick={() => choose(choice)}
            className="h-9 cursor-pointer rounded-md border border-line bg-surface px-1 text-sm font-medium transition-colors duration-150 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
          >
            {wholeMoney(choice, currency)}
          </button>
        ))}
      </div>
    </div>
  )
}

const CHOICES = [10n, 25n, 50n, 100n]

/** Returns the amount without '.00', so that four amounts fit side by side on a phone. */
const wholeMoney = (amount: bigint, currency: string): string =>
  formatMoney(toMoney(amount, currency)).replace(/[.,]0+(?=\D*$)/u, '')
