import { paths } from '#features/paths.ts'
import Pencil from 'lucide-react/icons/pencil'
import { Suspense, type ReactNode } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { isProgram } from '#features/hosts/rules.ts'
import { hostHistory, hostLicence, hostMachines, hostPeople, hostTickets } from '#features/hosts/slots.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useQueryAction } from '#foundation/web/use-query-action.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Coming, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionStatus } from './status.tsx'
import { LicenceSeen } from './licence-seen.tsx'

const Charts = lazyPart(() => import('./charts.tsx').then((file) => file.Charts))
const AlertsCard = lazyPart(() => import('./alerts-card.tsx').then((file) => file.AlertsCard))
const RenameHost = lazyPart(() => import('./rename-host.tsx').then((file) => file.RenameHost))
const ChangeAddress = lazyPart(() => import('./change-address.tsx').then((file) => file.ChangeAddress))
const TransferHost = lazyPart<{ host: Host }>(() =>
  import('./transfer-host.tsx').then((file) => file.TransferHost),
)
const DeleteHost = lazyPart(() => import('./delete-host.tsx').then((file) => file.DeleteHost))

/** The page of an existing host. */
export function HostDetails({ host }: { host: Host }) {
  // The role of a helper; undefined for the owner.
  const role = host.account?.role
  const rename = useLazyDialog(RenameHost)
  const address = useLazyDialog(ChangeAddress)
  useQueryAction('ipv4', paths.host(host.id), address.show)
  return (
    <Page
      title={<span className="[overflow-wrap:anywhere]">{host.name}</span>}
      description={<Facts host={host} />}
      actions={
        role === 'billing' || onlyReads(role) ? null : (
          <>
            <Button icon={<Pencil size={15} aria-hidden="true" />} {...rename.opener}>
              {m.hosts_rename()}
            </Button>
            {isProgram(host) ? null : (
              <Button {...address.opener}>
                {addressesOf(host).length === 0 ? m.hosts_ipv4_set() : m.hosts_ipv4_change()}
              </Button>
            )}
          </>
        )
      }
    >
      {host.account || isViewing() ? null : <Slot of={hostPeople} props={{ host }} />}
      {/* The main purpose of the page comes first, rare actions last. */}
      <div className="grid gap-6 *:min-w-0 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {role === 'technical' ? (
          <LicenceSeen host={host} />
        ) : (
          <Slot of={hostLicence} props={{ host }} waiting={<Skeleton className="h-80 rounded-lg" />} />
        )}
        <div className="flex flex-col gap-6 *:min-w-0">
          {isProgram(host) ? <Slot of={hostMachines} props={{ host }} /> : <ConnectionCard host={host} />}
          {host.last_seen_at === null ? null : (
            <Suspense fallback={<Skeleton className="h-64 rounded-lg" />}>
              <AlertsCard host={host} />
            </Suspense>
          )}
        </div>
      </div>
      {host.last_seen_at === null ? null : (
        <Suspense fallback={<Skeleton className="h-112 rounded-lg" />}>
          <Charts hostId={host.id} />
        </Suspense>
      )}
      {isProgram(host) ? null : <Slot of={hostMachines} props={{ host }} />}
      <Rest>
        {host.account ? null : <Slot of={hostTickets} props={{ host }} />}
        {role === 'technical' ? null : <Slot of={hostHistory} props={{ host }} />}
        {host.account || isViewing() ? null : (
          <Suspense fallback={<Coming />}>
            <TransferHost host={host} />
          </Suspense>
        )}
      </Rest>
      {role === undefined || role === 'full' ? <DangerZone host={host} /> : null}
      {rename.open ? <RenameHost host={host} {...rename.dialog} /> : null}
      {address.open ? <ChangeAddress host={host} {...address.dialog} /> : null}
    </Page>
  )
}

/** Cards of which each may be absent, in two columns that their heights fill. */
const Rest = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-6 empty:hidden lg:block lg:columns-2 lg:*:not-last:mb-6 lg:*:break-inside-avoid">
    {children}
  </div>
)

const addressesOf = ({ ipv4, ipv6 }: Host) => [ipv4, ipv6].filter((address) => address !== null)

/** The line below the name: the connection status of the host, and its addresses with one click each to copy. */
function Facts({ host }: { host: Host }) {
  const locale = useLocale()
  const { product } = host
  if (isProgram(host)) return <span className="text-muted">{product?.name[locale]}</span>
  return (
    <span className="flex min-h-9 flex-wrap items-center gap-x-4 text-text">
      {product ? <span className="text-muted">{product.name[locale]}</span> : null}
      <ConnectionStatus host={host} />
      {addressesOf(host).length === 0 ? <span className="text-muted">{m.hosts_no_ipv4()}</span> : null}
      {addressesOf(host).map((address) => (
        <span key={address} className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 font-mono [overflow-wrap:anywhere]">{address}</code>
          <CopyButton text={address} />
        </span>
      ))}
    </span>
  )
}

function DangerZone({ host }: { host: Host }) {
  const go = useGo()
  const remove = useLazyDialog(DeleteHost)
  const named = isProgram(host) ? m.hosts_delete_licence() : m.hosts_delete()
  return (
    <Card
      tone="danger"
      title={named}
      description={isProgram(host) ? m.hosts_delete_licence_text() : m.hosts_delete_text()}
      actions={
        <Button look="outline" {...remove.opener}>
          {named}
        </Button>
      }
    >
      {remove.open ? (
        <DeleteHost
          host={host}
          {...remove.dialog}
          onDeleted={() => void go(paths.hosts(), { replace: true })}
        />
      ) : null}
    </Card>
  )
}
