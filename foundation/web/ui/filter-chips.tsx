import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props<Value extends string> = {
  /** The filter's name for screen readers: 'Licence'. */
  label: string
  options: readonly { value: Value; label: string }[]
  chosen: Value | undefined
  /** Gets the pressed value, or undefined if the chosen chip is pressed again. */
  onChoose: (value: Value | undefined) => void
}

/** A row of several groups of chips. On a phone it scrolls sideways and reaches to the edges of the window. */
export const ChipRow = ({ children }: { children: ReactNode }) => (
  <div className="col-span-full -mx-4 -my-1 flex gap-3 overflow-x-auto px-4 py-1 scrollbar-none sm:contents">
    {children}
  </div>
)

/** The chips that filter a list, where they are one group. */
export const FilterChips = <Value extends string>(group: Props<Value>) => (
  <ChipRow>
    <ChipGroup {...group} />
  </ChipRow>
)

/** A group of chips in a `ChipRow`. At most one chip of a group is chosen. */
export function ChipGroup<Value extends string>({ label, options, chosen, onChoose }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className="flex gap-1.5 sm:flex-wrap">
      {options.map((option) => {
        const pressed = option.value === chosen
        return (
          <button
            key={option.value}
            type="button"
            aria-pressed={pressed}
            onClick={() => onChoose(pressed ? undefined : option.value)}
            className={classNames(
              'inline-flex h-8 cursor-pointer items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap',
              'transition-colors duration-150',
              pressed
                ? 'border-transparent bg-accent-soft font-medium text-accent-text'
                : 'border-line text-muted hover:bg-hover hover:text-text',
            )}
          >
            {pressed ? <Check size={14} aria-hidden="true" /> : null}
            <span>{option.label}</span>
          </button>
        )
      })}
    </div>
  )
}
