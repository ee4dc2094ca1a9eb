import { paths } from '#features/paths.ts'
import type { TopUpRow } from './top-up-queries.ts'

/** The page to which a customer comes back from the page of a provider. */
export const returnPath = ({
  public_id,
  for_checkout,
}: Pick<TopUpRow, 'public_id' | 'for_checkout'>): string =>
  for_checkout ? paths.finances({ checkout: public_id }) : paths.finances({ top_up: public_id })
