import { useId } from 'react'
import type { ReactNode } from 'react'
import { useFieldError } from '#foundation/web/form/form-context.ts'
import { useLengthNote } from '#foundation/web/form/too-long.ts'

export type FieldProps = {
  /** The name of the field in the form, and the `param` of the server's errors about it. */
  name: string
  label: string
  hint?: ReactNode
  /** The most characters. A longer text is not cut off: the field shows its length, and the form is not sent. */
  most?: number | undefined
  /** Rendered at the right of the label, but reached after the control by Tab: who types a name presses Tab for the password. */
  aside?: ReactNode
}

type ControlProps = {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'data-most': number | undefined
}

/** A field: label above, control, hint or error below. `children` gets the properties that tie the control to its label and note. */
export function Field({
  name,
  label,
  hint,
  most,
  aside,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const error = useFieldError(name)
  const note = useLengthNote(id)
  const wrong = [error, note].filter(Boolean).join(' · ')
  const described = wrong || hint ? `${id}-note` : undefined
  return (
    <div className="relative flex flex-col gap-1.5">
      <label htmlFor={id} className="self-start text-sm font-medium text-text">
        {label}
      </label>
      {children({
        id,
        name,
        'aria-describedby': described,
        'aria-invalid': wrong !== '',
        'data-most': most,
      })}
      {wrong ? (
        <p id={described} className="text-sm text-danger-text">
          {wrong}
        </p>
      ) : hint ? (
        <p id={described} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
      {aside ? <div className="absolute top-0 right-0 text-sm">{aside}</div> : null}
    </div>
  )
}
