import type { Days } from '#foundation/web/i18n/days.ts'
import { m } from '#texts/messages.js'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

/** The two fields of a period, first and last day included, in a row of filters. The second field says so if the order is wrong. */
export function DayFields({ from = '', to = '', onChange }: Days & { onChange: (part: Days) => void }) {
  const hint = from !== '' && to !== '' && to < from ? m.ui_days_reversed() : undefined
  return (
    <>
      <DayField name="from" label={m.ui_from_day()} value={from} onDay={(day) => onChange({ from: day })} />
      <DayField
        name="to"
        label={m.ui_to_day()}
        value={to}
        hint={hint}
        onDay={(day) => onChange({ to: day })}
      />
    </>
  )
}

type Props = {
  name: string
  label: string
  value: string
  hint?: string | undefined
  onDay: (day: string) => void
}

/** The browser's own field for a day. */
export function DayField({ name, label, value, hint, onDay }: Props) {
  return (
    <div className="sm:w-40">
      <Field name={name} label={label} hint={hint}>
        {(control) => (
          <input
            {...control}
            type="date"
            value={value}
            onChange={(event) => onDay(event.target.value)}
            className={controlClass}
          />
        )}
      </Field>
    </div>
  )
}
