import { useRef, useState } from 'react'
import { getFinances } from '#features/finance/contract.ts'
import { getHost, updateHost, type Host } from '#features/hosts/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Switch } from '#foundation/web/ui/switch.tsx'
import { m } from '#texts/messages.js'

/** The switch for auto-renewal. It moves at once and goes back if the server refuses. */
export function AutoRenew({ host }: { host: Host }) {
  const [wanted, change] = useAutoRenew(host.id)
  return (
    <div className="border-t border-line pt-4">
      <Switch
        label={m.sales_auto_renew()}
        hint={m.sales_auto_renew_hint()}
        checked={wanted ?? host.auto_renew}
        onChange={(checked) => void change(checked)}
      />
    </div>
  )
}

/** Saves one change after the other, so that the last choice is saved last. */
function useAutoRenew(hostId: string) {
  const [wanted, setWanted] = useState<boolean>()
  const last = useRef<boolean>(undefined)
  const change = async (wish: boolean) => {
    const waits = last.current !== undefined
    last.current = wish
    setWanted(wish)
    if (waits) return
    while ((await save(hostId, last.current)) && last.current !== wish) wish = last.current
    last.current = undefined
    setWanted(undefined)
  }
  return [wanted, change] as const
}

async function save(hostId: string, auto_renew: boolean): Promise<boolean> {
  const answer = await call(updateHost, { params: { hostId }, body: { auto_renew } })
  if (answer.status === 200) {
    keepAnswer(answer, keyOf(getHost, { params: { hostId } }), answer.body)
    refreshQueries(getFinances)
    return true
  }
  const [error] = answer.errors
  toastError(() => (error ? errorText(error) : m.hosts_update_failed()), answer)
  return false
}
