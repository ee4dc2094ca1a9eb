import UserRound from 'lucide-react/icons/user-round'
import { m } from '#texts/messages.js'
import { Alert } from './alert.tsx'

/** The band above pages that show what is another account's. */
export function WorkingFor({ name }: { name: string }) {
  return (
    <Alert tone="warning" icon={<UserRound size={18} aria-hidden="true" className="mt-px shrink-0" />}>
      <p className="font-medium [overflow-wrap:anywhere]">{m.ui_working_for({ name })}</p>
      <p>{m.ui_working_as()}</p>
    </Alert>
  )
}
