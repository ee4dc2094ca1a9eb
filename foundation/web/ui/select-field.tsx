import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import type { FieldProps } from './field.tsx'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'select'>, 'name' | 'className' | 'onChange' | 'onInput'> & {
    onChange?: (event: { target: HTMLSelectElement }) => void
    options: readonly { value: string; label: string }[]
    /** The text of the empty choice; without it the field has no empty choice. */
    empty?: string
  }

/** The browser's own select, which works with any keyboard, screen reader and phone. */
export function SelectField({ name, label, hint, aside, options, empty, onChange, ...select }: Props) {
  return (
    <Field name={name} label={label} hint={hint} aside={aside}>
      {(control) => (
        <div className="relative">
          <select
            {...select}
            {...control}
            // A browser fires `input` before `change`. The form renders at `input`, by which React would put the old choice back.
            onInput={({ currentTarget: target }) => onChange?.({ target })}
            onChange={ignore}
            // Without `field-sizing-content` the browser lays out every option to find the widest, and fetches fonts for the letters
            // of each language.
            className={classNames(controlClass, 'field-sizing-content cursor-pointer appearance-none pr-9')}
          >
            {empty === undefined ? null : <option value="">{empty}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            size={16}
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted"
          />
        </div>
      )}
    </Field>
  )
}

const ignore = () => {}
