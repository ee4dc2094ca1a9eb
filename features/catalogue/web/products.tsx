import { useState } from 'react'
import type { Product } from '#features/catalogue/product-contract.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { EditProduct, NewProduct } from './edit-product.tsx'
import { useProducts } from './hooks.ts'
import { kindTexts } from './product-fields.tsx'

/** The products above the editions: each with its kind, in the order in which customers see them. */
export function Products({ mayEdit }: { mayEdit: boolean }) {
  const products = useProducts()
  const [edited, setEdited] = useState<Product | 'new'>()
  const close = () => setEdited(undefined)
  return (
    <Card
      title={m.catalogue_products()}
      description={m.catalogue_products_text()}
      actions={mayEdit ? <Button onClick={() => setEdited('new')}>{m.catalogue_product_add()}</Button> : null}
    >
      <Loaded query={products} failed={m.catalogue_products_failed()} waiting="h-14">
        {({ items }) => (
          <List label={m.catalogue_products()}>
            {items.map((product) => (
              <ListRow
                key={product.slug}
                title={product.name[currentLocale()]}
                badge={product.is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
                detail={kindTexts[product.kind]()}
                actions={
                  mayEdit ? (
                    <Button size="small" onClick={() => setEdited(product)}>
                      {m.catalogue_product_edit()}
                    </Button>
                  ) : null
                }
              />
            ))}
          </List>
        )}
      </Loaded>
      {edited === 'new' ? <NewProduct open onClose={close} /> : null}
      {edited !== undefined && edited !== 'new' ? (
        <EditProduct product={edited} open onClose={close} />
      ) : null}
    </Card>
  )
}
