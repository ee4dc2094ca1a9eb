import UserRound from 'lucide-react/icons/user-round'
import { useEffect } from 'react'
import { paths } from '#features/paths.ts'
import { actedFor, actFor, type ActedFor } from '#foundation/web/acting.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { useAccount } from './hooks.ts'
import { roleText } from './role-text.ts'
import { askToSwitch } from './switch-request.ts'

/** The band above each page of another account: its owner, the person's role, and the way back. */
export function ActingBand() {
  const account = actedFor()
  return account ? <Band account={account} /> : null
}

function Band({ account }: { account: ActedFor }) {
  const { id, name, role } = account
  useEndOfGrant(account)
  return (
    <section
      aria-label={m.sharing_working_for({ name })}
      data-acting={id}
      className="sticky top-14 z-20 mx-auto mb-6 flex w-full max-w-[70rem] flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning-text md:top-2 low:static print:hidden"
    >
      <UserRound size={18} aria-hidden="true" className="shrink-0" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium [overflow-wrap:anywhere]">{m.sharing_working_for({ name })}</p>
        <p>{roleText(role)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {/* On a phone the drawer and the search have this button, and the band leaves room for the page. */}
        <span className="contents max-sm:hidden">
          <Button size="small" onClick={askToSwitch}>
            {m.sharing_switch()}
          </Button>
        </span>
        <Button size="small" onClick={() => actFor(undefined, paths.hosts())}>
          {m.sharing_back()}
        </Button>
      </div>
    </section>
  )
}

/** Leads out of the account once the grant has ended, or is no longer passed on to the person. */
function useEndOfGrant({ id }: ActedFor): void {
  const { data } = useAccount(id)
  const isOver = data === null
  useEffect(() => {
    if (isOver) actFor(undefined, paths.people())
  }, [isOver])
}
