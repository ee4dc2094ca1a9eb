import Users from 'lucide-react/icons/users'
import { actedFor } from '#foundation/web/acting.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { useAccounts } from './hooks.ts'
import { askToSwitch } from './switch-request.ts'

/**
 * The menu item that switches accounts, for people who help somebody. With `onLeave` it is a button of the drawer, which `onLeave` closes.
 */
export function SwitchItem({ onLeave }: { onLeave?: () => void }) {
  const { data } = useAccounts('')
  const icon = <Users size={16} aria-hidden="true" />
  if (!actedFor() && !data?.items.length) return null
  if (!onLeave)
    return (
      <MenuItem icon={icon} onSelect={askToSwitch}>
        {m.sharing_switch()}
      </MenuItem>
    )
  const leave = () => {
    onLeave()
    askToSwitch()
  }
  return (
    <Button icon={icon} wide onClick={leave}>
      {m.sharing_switch()}
    </Button>
  )
}
