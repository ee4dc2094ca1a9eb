import { useTitle } from '#foundation/web/title.ts'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { Editions } from './editions.tsx'
import { Plans } from './plans.tsx'
import { Vouchers } from './vouchers.tsx'

/** Plans, editions and vouchers, for staff. */
export function CataloguePage() {
  useTitle(m.catalogue_title())
  return (
    <Page title={m.catalogue_title()} description={m.catalogue_text()}>
      <Plans />
      <Editions />
      <Vouchers />
    </Page>
  )
}
