import { addressText } from '#features/hosts/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { getHost, listHosts } from '#features/hosts/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'

/**
 * The field for the server that a new ticket is about. `asked` is the id of the server from whose page the customer came; it is
 * preselected.
 */
export function HostChoice({ asked }: { asked: string | undefined }) {
  const { data: hosts } = useQuery(queryFor(listHosts, { query: { limit: '100', sort: 'name' } }))
  const one = useQuery({
    ...queryFor(getHost, { params: { hostId: asked ?? '' } }),
    enabled: asked !== undefined,
  })
  // The field takes its choice only when it first appears, so it waits until the asked server is loaded. A deleted server is left out.
  if (!hosts || (asked !== undefined && one.isPending)) return null
  const others = hosts.items.filter(({ id }) => id !== one.data?.id)
  const options = one.data ? [one.data, ...others] : others
  if (options.length === 0) return null
  return (
    <SelectField
      name="host_id"
      label={m.tickets_host()}
      empty={m.tickets_host_none()}
      defaultValue={one.data?.id}
      options={options.map((host) => ({
        value: host.id,
        label: addressText(host) ? `${host.name} (${addressText(host)})` : host.name,
      }))}
    />
  )
}
