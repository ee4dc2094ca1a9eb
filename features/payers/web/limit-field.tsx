import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Props = { currency: string; hint: string; defaultValue?: string }

/** The field for the most that an agreement pays in a month; empty for no limit. */
export function LimitField({ currency, hint, defaultValue = '' }: Props) {
  return (
    <TextField
      name="month_limit"
      label={m.payers_limit({ currency })}
      hint={hint}
      defaultValue={defaultValue}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

export const wrongLimit = { code: 'invalid', param: 'month_limit' } as const
