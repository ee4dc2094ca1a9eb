import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

type Props = {
  name: string
  label: string
  /** `2026-01-31`, or empty. */
  value: string
  onDay: (day: string) => void
}

/** The browser's own field for a day, in a row of filters. */
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
