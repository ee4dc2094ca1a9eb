import type { Host } from '#features/hosts/contract.ts'
import type { Agreement } from '#features/payers/contract.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { addHost } from './change-hosts.ts'
import { useAgreements } from './hooks.ts'
import { otherSide } from './names.ts'

/** The buttons that ask the payers of the owner's other servers to pay for this server too. */
export function AddToAgreement({ host }: { host: Host }) {
  const { data, error } = useAgreements('owner')
  const { withProof, dialog } = useReauthentication()
  if (!data) return <Coming of={{ error }} />
  const mine = data.items.filter(({ state, asked_by }) => state === 'active' || asked_by === 'owner')
  if (mine.length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {mine.map((agreement) => (
        <Add key={agreement.id} agreement={agreement} send={() => addHost(agreement, host, { withProof })} />
      ))}
      {dialog}
    </div>
  )
}

function Add({ agreement, send }: { agreement: Agreement; send: () => Promise<void> }) {
  const adding = useAct(send)
  return (
    <Button size="small" pending={adding.pending} onClick={adding.run}>
      {/* A name may be longer than the card is wide. */}
      <span className="whitespace-normal wrap-anywhere">
        {m.payers_add_to({ name: otherSide(agreement) })}
      </span>
    </Button>
  )
}
