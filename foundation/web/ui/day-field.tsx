import { m } from '#texts/messages.js'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

/** `2026-01-31`, or empty: without a bound. */
type Days = { from: string; to: string }

/** The fields from a day to a day, both included, in a row of filters. */
export const DayFields = ({ from, to, onChange }: Days & { onChange: (part: Partial<Days>) => void }) => (
  <>
    <DayField name="from" label={m.ui_from_day()} value={from} onDay={(day) => onChange({ from: day })} />
    <DayField name="to" label={m.ui_to_day()} value={to} onDay={(day) => onChange({ to: day })} />
  </>
)

type Props = { name: string; label: string; value: string; onDay: (day: string) => void }

/** The browser's own field for a day. */
export function DayField({ name, label, value, onDay }: Props) {
  return (
    <div className="sm:w-40">
      <Field name={name} label={label}>
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
