import type { CustomerCard } from '#features/support/desk/contract.ts'
import { addressText } from '#features/hosts/rules.ts'
import { ConnectionStatus, licenceEnd, Suspended } from '#features/hosts/web/hosts.ts'
import { useMay } from '#features/team/web/team.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useCustomerHosts } from './hooks.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

export const SuspendHost = lazyPart(() => import('./suspend-host.tsx').then((file) => file.SuspendHost))

export const HelpHost = lazyPart(() => import('./help-host.tsx').then((file) => file.HelpHost))

/** All servers of a customer, the newest first. */
export function CustomerHosts({ card }: { card: CustomerCard }) {
  const pages = useCustomerHosts(card.id)
  return (
    <LoadedList query={pages} failed={m.customers_hosts_failed()} none={m.customers_no_hosts()}>
      {(hosts) => <HostLines hosts={hosts} isWhole />}
    </LoadedList>
  )
}

type HostLine = CustomerCard['hosts']['items'][number]

type Props = { hosts: readonly HostLine[]; isWhole?: boolean }

/** A list of servers; `isWhole` adds the buttons for staff. */
export function HostLines({ hosts, isWhole }: Props) {
  const maySuspend = useMay('hosts.suspend') && isWhole
  const mayHelp = useMay('customers.help') && isWhole
  return (
    <List label={m.shell_servers()}>
      {hosts.map((host) => (
        <ListRow
          key={host.id}
          title={
            <span className="flex flex-wrap items-center gap-2">
              <bdi>{host.name}</bdi>
              {host.suspended ? <Suspended /> : null}
            </span>
          }
          detail={
            <>
              {addressText(host) ? (
                <span className="font-mono">{addressText(host)}</span>
              ) : (
                <span>{m.customers_no_ipv4()}</span>
              )}{' '}
              <span>· {licenceEnd(host)}</span>
            </>
          }
          actions={
            <>
              <ConnectionStatus host={host} />
              {mayHelp ? <HelpButton host={host} /> : null}
              {maySuspend ? <SuspendButton host={host} /> : null}
            </>
          }
        />
      ))}
    </List>
  )
}

function HelpButton({ host }: { host: HostLine }) {
  const dialog = useLazyDialog(HelpHost)
  return (
    <>
      <Button size="small" {...dialog.opener}>
        {m.customers_help_host()}
      </Button>
      {dialog.open ? <HelpHost host={host} {...dialog.dialog} /> : null}
    </>
  )
}

function SuspendButton({ host }: { host: HostLine }) {
  const dialog = useLazyDialog(SuspendHost)
  return (
    <>
      <Button size="small" {...dialog.opener}>
        {host.suspended ? m.customers_resume_host() : m.customers_suspend_host()}
      </Button>
      {dialog.open ? <SuspendHost host={host} {...dialog.dialog} /> : null}
    </>
  )
}
