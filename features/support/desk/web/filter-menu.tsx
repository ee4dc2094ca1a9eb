import ChevronDown from 'lucide-react/icons/chevron-down'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'

type Props<Value extends string> = {
  /** The label of the filter: 'Topic'. */
  label: string
  /** The choice of not filtering: 'Any topic'. */
  any: string
  options: readonly { value: Value; label: string }[]
  chosen: Value | undefined
  onChoose: (value: Value | undefined) => void
}

/** A menu to filter by one of many values, or by none. */
export function FilterMenu<Value extends string>({ label, any, options, chosen, onChoose }: Props<Value>) {
  const present = options.find(({ value }) => value === chosen)
  return (
    <Menu
      label={`${label}: ${present?.label ?? any}`}
      triggerClass={filterTrigger(present !== undefined)}
      trigger={
        <>
          <span>{present?.label ?? any}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      <MenuItem checked={present === undefined} onSelect={() => onChoose(undefined)}>
        {any}
      </MenuItem>
      {options.map((option) => (
        <MenuItem
          key={option.value}
          checked={option.value === chosen}
          onSelect={() => onChoose(option.value)}
        >
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The CSS classes of a filter's button: a filter in force has a colour of its own. */
export const filterTrigger = (inForce: boolean): string =>
  classNames(
    'inline-flex h-8 shrink-0 cursor-pointer items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap',
    'transition-colors duration-150',
    inForce
      ? 'border-transparent bg-accent-soft font-medium text-accent-text'
      : 'border-line text-muted hover:bg-hover hover:text-text',
  )
