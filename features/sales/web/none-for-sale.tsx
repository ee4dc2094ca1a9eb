import { paths } from '#features/paths.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** The words in place of the plans while the operator sells none. */
export const NoneForSale = () => (
  <Alert tone="warning">
    <p>{m.sales_none_for_sale()}</p>
    <p className="mt-1">
      <TextLink to={paths.tickets()}>{m.ui_contact()}</TextLink>
    </p>
  </Alert>
)
