import { useState } from 'react'
import type { Extra } from '#features/catalogue/extra-contract.ts'
import type { Edition } from '#features/catalogue/contract.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useExtras } from './hooks.ts'

const AddExtra = lazyPart(() => import('./edit-extra.tsx').then((file) => file.AddExtra))
const EditExtra = lazyPart(() => import('./edit-extra.tsx').then((file) => file.EditExtra))

type Props = { edition: Edition; mayEdit: boolean }

/** The extras that are sold with an edition: each with its kind, its price and the most pieces. */
export function EditionExtras({ edition, mayEdit }: Props) {
  const extras = useExtras()
  const [edited, setEdited] = useState<Extra>()
  const add = useLazyDialog(AddExtra)
  const edit = useLazyDialog(EditExtra)
  const name = edition.name[currentLocale()]
  return (
    <>
      <Loaded query={extras} failed={m.catalogue_extras_failed()} waiting={null}>
        {({ items }) => {
          const own = items.filter((extra) => extra.edition === edition.slug)
          return (
            <div className="flex flex-col gap-3">
              {own.length === 0 ? null : (
                <List label={m.catalogue_extras_of({ edition: name })}>
                  {own.map((extra) => (
                    <ListRow
                      key={extra.slug}
                      title={extra.name[currentLocale()]}
                      badge={extra.is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
                      detail={costOf(extra)}
                      actions={
                        mayEdit ? (
                          <Button
                            size="small"
                            onClick={() => {
                              setEdited(extra)
                              edit.show()
                            }}
                            aria-label={m.catalogue_extra_edit_of({ extra: extra.name[currentLocale()] })}
                          >
                            {m.catalogue_product_edit()}
                          </Button>
                        ) : null
                      }
                    />
                  ))}
                </List>
              )}
              {mayEdit ? (
                <div>
                  <Button
                    size="small"
                    {...add.opener}
                    aria-label={m.catalogue_extra_add_to({ edition: name })}
                  >
                    {m.catalogue_extra_add()}
                  </Button>
                </div>
              ) : null}
            </div>
          )
        }}
      </Loaded>
      {add.open ? <AddExtra edition={edition} {...add.dialog} /> : null}
      {edited && edit.open ? <EditExtra extra={edited} {...edit.dialog} /> : null}
    </>
  )
}

/** Returns the price of an extra in words, with the most pieces where there may be several. */
function costOf({ kind, price_net, most }: Extra): string {
  const price = formatMoney(price_net)
  const cost =
    kind === 'addon'
      ? m.catalogue_extra_monthly({ price })
      : kind === 'setup'
        ? m.catalogue_extra_fee({ price })
        : m.catalogue_extra_once({ price })
  return most > 1 ? m.catalogue_extra_most_of({ cost, count: most }) : cost
}
