import type { Grant } from '#features/sharing/contract.ts'
import { limits, ofEachLimit, type LimitName, type UseName } from '#features/sharing/limits.ts'
import type { Money } from '#foundation/money.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { formatMoney, typedAmount, typedLimit } from '#foundation/web/i18n/money.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'

type Texts = Record<LimitName, string>

/** The fields for the limits of what a helper may spend; an empty one is no limit. */
export const LimitFields = ({ currency, saved }: { currency: string; saved?: Texts }) =>
  limits.map(({ name, label, hint }) => (
    <TextField
      key={name}
      name={name}
      label={label({ currency })}
      hint={hint()}
      defaultValue={saved?.[name]}
      inputMode="decimal"
      autoComplete="off"
    />
  ))

/** Reads the typed limits as a call takes them. A text that is no number is an error of its field. */
export function limitsIn(typed: Partial<Texts>, currency: string) {
  const wished: Partial<Record<LimitName, Money | null>> = {}
  const errors: DisplayedError[] = []
  for (const { name } of limits) {
    if (typed[name] === undefined) continue
    const limit = typedLimit(typed[name], currency)
    if (limit === undefined) errors.push({ code: 'invalid', param: name })
    else wished[name] = limit
  }
  return { wished, errors }
}

/** The limits of a grant, as a person would type them. */
export function typedLimits(grant: Grant): Texts {
  return ofEachLimit('name', ({ name }) => textOf(grant[name], typedAmount))
}

/** Says for each limit of a grant how much of it has been used. */
export const usedOfLimits = (grant: Pick<Grant, LimitName | UseName>): string[] =>
  limits
    .filter(({ name }) => grant[name] !== null)
    .map(({ name, used, shown }) =>
      shown({ spent: formatMoney(grant[used]), limit: textOf(grant[name], formatMoney) }),
    )

/** Writes a limit as `write` does, and none as ''. */
const textOf = (value: Money | null, write: (money: Money) => string): string =>
  value === null ? '' : write(value)
