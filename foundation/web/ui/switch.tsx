import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A switch that takes effect at once. In a form, in which a change waits for the button, use `CheckboxField`. */
export function Switch({ label, hint, checked, disabled = false, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0 text-sm">
        <label id={`${id}-label`} htmlFor={id} className="cursor-pointer font-medium">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="mt-0.5 text-pretty text-muted">
            {hint}
          </p>
        ) : null}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={classNames(
          'relative mt-0.5 h-6 w-10 shrink-0 cursor-pointer rounded-full border transition-colors duration-150',
          'disabled:cursor-default disabled:opacity-50',
          checked ? 'border-transparent bg-accent' : 'border-line-strong bg-hover',
        )}
      >
        <span
          aria-hidden="true"
          className={classNames(
            'absolute inset-y-0 my-auto size-4 rounded-full transition-[left] duration-150',
            checked ? 'left-5 bg-on-accent' : 'left-1 bg-muted',
          )}
        />
      </button>
    </div>
  )
}
