import type { Host } from '#features/hosts/contract.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { LicenceStatus, timeLeft } from './status.tsx'

/** The licence as a helper sees it: no price, nothing to order. */
export function LicenceSeen({ host: { licence } }: { host: Host }) {
  const locale = useLocale()
  const left = timeLeft(licence)
  return (
    <Card
      title={m.hosts_licence()}
      description={m.hosts_licence_of_owner()}
      actions={<LicenceStatus licence={licence} />}
    >
      <p className="text-sm">
        {[licence.plan?.name[locale], left].filter((text) => text !== undefined).join(' · ')}
      </p>
    </Card>
  )
}
