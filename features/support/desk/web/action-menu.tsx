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
  /** True to show the icon without the text. */
  iconOnly?: boolean
  children: ReactNode
}

/** The look of the menus beside a ticket's title: a small button with the present value, of which a phone shows the icon alone if there is one. */
export const ActionMenu = ({ label, text, icon, iconOnly, children }: Props) => (
  <Menu
    align="end"
    label={label}
    triggerClass={classNames(
      'inline-flex min-h-11 max-w-48 cursor-pointer items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm',
      'font-medium whitespace-nowrap transition-colors duration-150 hover:bg-hover sm:min-h-9',
    )}
    trigger={
      <>
        {icon}
        <span className={iconOnly ? 'sr-only' : icon ? 'truncate max-sm:sr-only' : 'truncate'}>{text}</span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
      </>
    }
  >
    {children}
  </Menu>
)
