import type { Host } from '#features/hosts/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDateTime, formatDuration, relativeTime } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { ConnectionStatus } from './status.tsx'

const AgentToken = lazyPart(() => import('./agent-token.tsx').then((file) => file.AgentToken))

/** The connection of the server's agent, its last report, and how to install it. */
export function ConnectionCard({ host }: { host: Host }) {
  const token = useLazyDialog(AgentToken)
  const waits = host.has_agent_token && host.last_seen_at === null
  return (
    <Card
      title={m.hosts_connection()}
      description={host.last_seen_at === null ? m.hosts_agent_text() : undefined}
      actions={host.last_seen_at === null ? null : <ConnectionStatus host={host} />}
      footer={
        <>
          <span>{host.has_agent_token ? m.hosts_token_is_there() : m.hosts_token_is_not_there()}</span>
          {host.account?.role === 'billing' || onlyReads(host.account?.role) ? null : (
            <Button size="small" {...token.opener}>
              {host.has_agent_token ? m.hosts_token_renew() : m.hosts_connect()}
            </Button>
          )}
        </>
      }
    >
      {waits ? <p className="text-sm text-muted">{m.hosts_agent_awaited()}</p> : null}
      {host.last_seen_at === null ? null : <Seen host={host} last_seen_at={host.last_seen_at} />}
      {token.open ? <AgentToken host={host} {...token.dialog} /> : null}
    </Card>
  )
}

function Seen({ host, last_seen_at }: { host: Host; last_seen_at: string }) {
  const { agent } = host
  const licensed = agent?.address.includes(':') ? host.ipv6 : host.ipv4
  return (
    <div className="flex flex-col gap-5">
      {host.address_mismatch && agent && licensed !== null ? (
        <Alert tone="warning">{m.hosts_mismatch({ address: agent.address, licensed })}</Alert>
      ) : null}
      <Facts
        facts={[
          {
            name: m.hosts_seen(),
            value: (
              <time dateTime={last_seen_at} title={formatDateTime(last_seen_at)}>
                {relativeTime(last_seen_at)}
              </time>
            ),
          },
          ...(agent
            ? [
                { name: m.hosts_hostname(), value: agent.hostname },
                { name: m.hosts_uptime(), value: formatDuration(agent.uptime_s) },
                { name: m.hosts_agent_version(), value: agent.version },
              ]
            : []),
        ]}
      />
    </div>
  )
}
