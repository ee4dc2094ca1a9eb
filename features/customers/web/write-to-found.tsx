import type { CustomerFilter, HostFilter } from '#features/customers/rules.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'

type Props = { found: { servers: HostFilter } | { customers: CustomerFilter } }

/** Leads to a new announcement for those whom the filter of a list finds. */
export function WriteToFound({ found }: Props) {
  const mayPublish = useMay('announcements.publish')
  if (!mayPublish) return null
  return (
    <ButtonLink to={paths.announcements({ new: 'yes', for: JSON.stringify(found) })}>
      {m.customers_write_to_found()}
    </ButtonLink>
  )
}
