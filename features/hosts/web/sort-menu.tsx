import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'

type Props<Value extends string> = {
  options: readonly { value: Value; label: string }[]
  chosen: Value
  onChoose: (value: Value) => void
}

/** The choice of the sort order. */
export function SortMenu<Value extends string>({ options, chosen, onChoose }: Props<Value>) {
  const present = options.find(({ value }) => value === chosen)?.label ?? ''
  return (
    <Menu
      label={`${m.hosts_sort()}: ${present}`}
      align="end"
      triggerClass="inline-flex h-10 min-w-10 cursor-pointer items-center justify-center gap-2 rounded-md px-2 text-sm sm:h-8 text-muted transition-colors duration-150 hover:bg-hover hover:text-text"
      trigger={
        <>
          <ArrowDownUp size={15} aria-hidden="true" />
          <span className="max-sm:hidden">{present}</span>
        </>
      }
    >
      {options.map(({ value, label }) => (
        <MenuItem key={value} checked={value === chosen} onSelect={() => onChoose(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
