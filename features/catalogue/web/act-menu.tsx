import Ellipsis from 'lucide-react/icons/ellipsis'
import type { ReactNode } from 'react'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'

type Props = {
  id: string
  name: string
  /** True at the beginning and at the end of its list. */
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1, moved: { name: string; menu: string }) => void
  /** The acts above those that move it. */
  children: ReactNode
}

/** The menu of a plan or an edition: its acts, and the moves to another place of its list. */
export const ActMenu = ({ id, name, isFirst, isLast, onMove, children }: Props) => (
  <div id={id} className="-my-1 -mr-2 flex">
    <Menu
      label={m.catalogue_acts({ name })}
      trigger={<Ellipsis size={18} aria-hidden="true" />}
      triggerClass={iconButtonClass}
      align="end"
    >
      <div>{children}</div>
      {([-1, 1] as const).map((by) =>
        (by < 0 ? isFirst : isLast) ? null : (
          <MenuItem key={by} onSelect={() => onMove(by, { name, menu: id })}>
            {by < 0 ? m.catalogue_up() : m.catalogue_down()}
          </MenuItem>
        ),
      )}
    </Menu>
  </div>
)
