import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { useFieldError } from '#foundation/web/form/form-context.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'name'> & {
  name: string
  label: ReactNode
  hint?: ReactNode
}

/** A checkbox with its label at the right. */
export function CheckboxField({ name, label, hint, ...input }: Props) {
  const id = useId()
  const error = useFieldError(name)
  const note = error ?? hint
  return (
    <div className="flex items-start gap-3">
      <input
        {...input}
        id={id}
        name={name}
        type="checkbox"
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className="mt-0.5 size-5 shrink-0 cursor-pointer accent-accent"
      />
      <div className="text-sm">
        <label htmlFor={id} className="cursor-pointer font-medium">
          {label}
        </label>
        {note ? (
          <p id={`${id}-note`} className={error ? 'text-danger-text' : 'text-muted'}>
            {note}
          </p>
        ) : null}
      </div>
    </div>
  )
}
