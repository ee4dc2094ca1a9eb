import { useEffect, type ComponentProps, type MouseEvent } from 'react'
import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import { actedFor, actFor } from '#foundation/web/acting.ts'
import { usePathValue, TextLink } from '#foundation/web/navigation.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useGrants, useHostsOf } from './hooks.ts'

/** `/servers/shared/all`: one's own servers and those of all accounts that one helps. With the id of an account it leads to that one's. */
export function SharedHostsPage() {
  const id = usePathValue('accountId')
  return id === 'all' ? <AllHosts /> : <SwitchTo id={id} />
}

function SwitchTo({ id }: { id: string }) {
  const { data } = useGrants('received')
  useEffect(() => {
    if (!data) return
    const grant = data.items.find(({ account, state }) => account?.id === id && state === 'active')
    if (grant?.account) actFor({ ...grant.account, role: grant.role }, paths.hosts())
    else actFor(undefined, paths.people())
  }, [data, id])
  return <Waiting />
}

function AllHosts() {
  const { hosts, ...pages } = useHostsOf('all')
  return (
    <Page title={m.sharing_all_servers()} description={m.sharing_all_servers_text()}>
      {hosts && !pages.isRefetchError ? (
        <Hosts hosts={hosts} pages={pages} />
      ) : pages.error ? (
        <ErrorState
          title={m.sharing_hosts_failed()}
          error={pages.error}
          onRetry={() => void pages.refetch()}
        />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

const Waiting = () => (
  <Loading>
    <Skeleton className="h-40" />
  </Loading>
)

type HostsProps = { hosts: readonly Host[]; pages: ComponentProps<typeof LoadMore>['pages'] }

function Hosts({ hosts, pages }: HostsProps) {
  if (hosts.length === 0) return <p className="text-sm text-muted">{m.sharing_hosts_none()}</p>
  return (
    <>
      <List label={m.sharing_all_servers()}>
        {hosts.map((host) => (
          <ListRow
            key={host.id}
            title={
              <TextLink to={paths.host(host.id)} onClick={(event) => open(event, host)}>
                {host.name}
              </TextLink>
            }
            detail={
              <>
                {host.account?.name ?? m.sharing_own_account()}
                {host.ipv4 === null ? null : (
                  <>
                    {' · '}
                    <code className="font-mono">{host.ipv4}</code>
                  </>
                )}
              </>
            }
          />
        ))}
      </List>
      <LoadMore pages={pages} />
    </>
  )
}

/** In the account whose it is. */
function open(event: MouseEvent, { id, account }: Host): void {
  if (account?.id === actedFor()?.id) return
  event.preventDefault()
  actFor(account ?? undefined, paths.host(id))
}
