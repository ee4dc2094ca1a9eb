import { useQuery } from '@tanstack/react-query'
import { getShop } from '#features/shop/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'

/** The address of the public pages, for staff; nothing while the shop is off. */
export function ShopAddress() {
  const url = useQuery(queryFor(getShop)).data?.url
  if (!url) return null
  return (
    <p className="text-sm text-muted">
      {m.shop_public()}:{' '}
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="font-medium break-all text-accent-text underline-offset-4 hover:underline"
      >
        {url}
      </a>{' '}
      {m.shop_public_text()}
    </p>
  )
}
