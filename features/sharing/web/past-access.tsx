import { useQuery } from '@tanstack/react-query'
import type { Host } from '#features/hosts/contract.ts'
import { RenewKeyButton } from '#features/hosts/web/hosts.ts'
import { keepLicenceKey, listFormerHelpers } from '#features/sharing/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** Tells the owner which people have seen the keys of a server and no longer have access; nothing if there are none. */
export function PastAccess({ host }: { host: Host }) {
  const params = { hostId: host.id }
  const { data } = useQuery(queryFor(listFormerHelpers, { params }))
  const refresh = () => refreshQueries(listFormerHelpers)
  const form = useForm(async () => {
    const answer = await call(keepLicenceKey, { params })
    refresh()
    return answer.status === 204 ? undefined : answer
  })
  const [last, ...others] = data?.items ?? []
  if (!last) return null
  const said = { name: last.account.name, date: formatDate(last.ended_at) }
  return (
    <Alert tone="warning">
      <Form form={form} label={m.sharing_former_keep()}>
        <p>
          {others.length === 0
            ? m.sharing_former(said)
            : m.sharing_former_more({ ...said, count: others.length })}
        </p>
        <p>{host.has_agent_token ? m.sharing_former_token() : m.sharing_former_key()}</p>
        <div className="flex flex-wrap gap-2">
          <RenewKeyButton host={host} onRenewed={refresh} />
          <SubmitButton look="secondary">{m.sharing_former_keep()}</SubmitButton>
        </div>
      </Form>
    </Alert>
  )
}
