import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A switch acts at once; what waits for a button is a CheckboxField. */
export function Switch({ label, hint, checked, onChange, disabled }: Props) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="text-sm">
        <span id={`${id}-label`} className="font-medium">
          {label}
        </span>
        {hint ? (
          <p id={`${id}-hint`} className="text-muted">
            {hint}
          </p>
        ) : null}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={classNames(
          'relative h-6 w-10 shrink-0 cursor-pointer rounded-full transition-colors duration-150 disabled:opacity-50',
          checked ? 'bg-accent' : 'bg-line-strong',
        )}
      >
        <span
          className={classNames(
            'absolute top-0.5 left-0.5 size-5 rounded-full bg-white transition-transform duration-150',
            checked && 'translate-x-4',
          )}
        />
      </button>
    </div>
  )
}
