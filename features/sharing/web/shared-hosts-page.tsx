import type { ComponentProps } from 'react'
import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import { usePathValue, TextLink } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { WorkingFor } from '#foundation/web/ui/working-for.tsx'
import { m } from '#texts/messages.js'
import { useGrants, useHostsOf } from './hooks.ts'

/** The servers of an account that the customer helps. Their pages are those of one's own servers, with what a helper may do. */
export function SharedHostsPage() {
  const id = usePathValue('accountId')
  const { hosts, ...pages } = useHostsOf(id)
  const grants = useGrants('received')
  const account = grants.data?.items.find((grant) => grant.account?.id === id)?.account
  const title = account ? m.sharing_hosts_title({ name: account.name }) : m.sharing_servers()
  useTitle(title)
  return (
    <Page title={title}>
      {account ? <WorkingFor name={account.name} /> : null}
      {hosts && !pages.isRefetchError ? (
        <Hosts hosts={hosts} title={title} pages={pages} />
      ) : pages.error ? (
        <ErrorState
          title={m.sharing_hosts_failed()}
          error={pages.error}
          onRetry={() => void pages.refetch()}
        />
      ) : (
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      )}
    </Page>
  )
}

type HostsProps = { hosts: readonly Host[]; title: string; pages: ComponentProps<typeof LoadMore>['pages'] }

function Hosts({ hosts, title, pages }: HostsProps) {
  if (hosts.length === 0) return <p className="text-sm text-muted">{m.sharing_hosts_none()}</p>
  return (
    <>
      <List label={title}>
        {hosts.map(({ id, name, ipv4 }) => (
          <ListRow
            key={id}
            title={<TextLink to={paths.host(id)}>{name}</TextLink>}
            detail={ipv4 === null ? undefined : <code className="font-mono">{ipv4}</code>}
          />
        ))}
      </List>
      <LoadMore pages={pages} />
    </>
  )
}
