import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { Menu } from '#foundation/web/ui/menu.tsx'

type Props = {
  /** The accessible name; begins with or contains the visible text. */
  label: string
  /** The visible text: the present value. */
  text: string
  icon?: ReactNode
  /** True to place the menu, on a phone, after the actions that are needed more often. */
  later?: boolean
  children: ReactNode
}

/** The look of the menus beside a ticket's title: a small button with the present value. */
export const ActionMenu = ({ label, text, icon, later, children }: Props) => (
  <Menu
    align="end"
    label={label}
    triggerClass={classNames(
      'inline-flex h-10 max-w-48 cursor-pointer items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm',
      'font-medium whitespace-nowrap transition-colors duration-150 hover:bg-hover sm:h-9',
      later ? 'max-sm:order-1' : 'max-sm:max-w-40',
    )}
    trigger={
      <>
        {icon}
        <span className="truncate">{text}</span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
      </>
    }
  >
    {children}
  </Menu>
)
