import { useEffect, type MouseEvent } from 'react'
import { addressText } from '#features/hosts/rules.ts'
import { paths } from '#features/paths.ts'
import { HOST_CHANGED, HOST_DELETED, listHosts, type Host } from '#features/hosts/contract.ts'
import { ConnectionStatus, LicenceStatus, timeLeft, useHostsByName } from '#features/hosts/web/hosts.ts'
import { actedFor, actFor } from '#foundation/web/acting.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ButtonLink, TextLink, usePathValue } from '#foundation/web/navigation.tsx'
import { subscribe } from '#foundation/web/realtime/subscriptions.ts'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useAccount, useAccounts } from './hooks.ts'

/**
 * The page `/servers/shared/all`: the user's own servers and those of all accounts that the user helps. With the id of an account
 * in place of `all` it leads to the servers of this account.
 */
export function SharedHostsPage() {
  const id = usePathValue('accountId')
  return id === 'all' ? <AllHosts /> : <SwitchTo id={id} />
}

function SwitchTo({ id }: { id: string }) {
  const { data } = useAccount(id)
  useEffect(() => {
    if (data) actFor({ id: data.id, name: data.name, role: data.role }, paths.hosts())
    else if (data === null) actFor(undefined, paths.people())
  }, [data])
  return (
    <Loading>
      <Skeleton className="h-40 rounded-lg" />
    </Loading>
  )
}

function AllHosts() {
  const pages = useHostsByName('all')
  useEffect(() => {
    const stops = [HOST_CHANGED, HOST_DELETED].map((type) =>
      subscribe(type, ({ account }) => account !== undefined && refreshQueries(listHosts)),
    )
    return () => stops.forEach((stop) => stop())
  }, [])
  const helped = useAccounts('')
  if (helped.data?.items.length === 0)
    return (
      <Page title={m.sharing_all_servers()}>
        <EmptyState
          title={m.sharing_helps_nobody()}
          action={<ButtonLink to={paths.hosts()}>{m.sharing_to_own_hosts()}</ButtonLink>}
        >
          {m.sharing_helps_nobody_text()}
        </EmptyState>
      </Page>
    )
  return (
    <Page title={m.sharing_all_servers()} description={m.sharing_all_servers_text()}>
      <LoadedList
        // A help that ended must not go on to show its servers.
        query={pages.isRefetchError || helped.isPending ? { ...pages, data: undefined } : pages}
        failed={m.sharing_hosts_failed()}
        none={m.sharing_hosts_none()}
      >
        {(hosts) => (
          <List label={m.sharing_all_servers()}>
            {hosts.map((host) => (
              <Row key={host.id} host={host} />
            ))}
          </List>
        )}
      </LoadedList>
    </Page>
  )
}

function Row({ host }: { host: Host }) {
  const left = timeLeft(host.licence)
  return (
    <ListRow
      title={
        <TextLink to={paths.host(host.id)} onClick={(event) => open(event, host)}>
          {host.name}
        </TextLink>
      }
      badge={<LicenceStatus licence={host.licence} />}
      detail={
        <>
          <span>{host.account?.name ?? m.sharing_own_account()}</span>
          {addressText(host) === '' ? null : (
            <>
              <span> · </span>
              <code className="font-mono">{addressText(host)}</code>
            </>
          )}
          {left === undefined ? null : <span>{` · ${left}`}</span>}
        </>
      }
      actions={<ConnectionStatus host={host} />}
    />
  )
}

/** Opens a server in the account that it belongs to. */
function open(event: MouseEvent, { id, account }: Host): void {
  if (account?.id === actedFor()?.id) return
  event.preventDefault()
  actFor(account ?? undefined, paths.host(id))
}
