import { useState } from 'react'
import type { CataloguePlan, Edition } from '#features/catalogue/contract.ts'
import { entitlementLines } from '#features/catalogue/rules.ts'
import { useMay } from '#features/team/web/team.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { EditEdition, NewEdition } from './edit-edition.tsx'
import { useEditions, usePlans } from './hooks.ts'

/** The editions, the lowest rank first, each with its name, features and entitlements. */
export function Editions() {
  const query = useEditions()
  const plans = usePlans().data?.items ?? NONE
  const mayEdit = useMay('plans.edit')
  const [editing, setEditing] = useState<string>()
  const [adding, setAdding] = useState(false)
  const edited = query.data?.items.find(({ slug }) => slug === editing)
  return (
    <Card
      title={m.catalogue_editions()}
      description={m.catalogue_editions_text()}
      actions={
        mayEdit ? <Button onClick={() => setAdding(true)}>{m.catalogue_edition_add()}</Button> : undefined
      }
    >
      <LoadedList
        query={query}
        failed={m.catalogue_editions_failed()}
        waiting="h-32"
        none={m.catalogue_no_editions()}
      >
        {(items) => (
          <List label={m.catalogue_editions()}>
            {items.map((edition) => (
              <EditionRow
                key={edition.slug}
                edition={edition}
                plans={plans}
                onEdit={mayEdit ? () => setEditing(edition.slug) : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {adding ? <NewEdition onClose={() => setAdding(false)} /> : null}
      {edited ? <EditEdition edition={edited} onClose={() => setEditing(undefined)} /> : null}
    </Card>
  )
}

const NONE: readonly CataloguePlan[] = []

type RowProps = { edition: Edition; plans: readonly CataloguePlan[]; onEdit: (() => void) | undefined }

function EditionRow({ edition, plans, onEdit }: RowProps) {
  const { slug, name, description, features, entitlements, trial_days, is_active } = edition
  const locale = currentLocale()
  const count = plans.filter((plan) => plan.edition === slug).length
  return (
    <ListRow
      title={name[locale]}
      badge={is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
      detail={[
        ...(description[locale] === '' ? [] : [description[locale]]),
        ...features.map((text) => text[locale]),
        ...entitlementLines(entitlements).split('\n').filter(Boolean),
        ...(trial_days === 0 ? [] : [m.catalogue_edition_trial({ count: trial_days })]),
        m.catalogue_edition_plans({ count }),
        slug,
      ].join(' · ')}
      actions={
        onEdit ? (
          <Button
            size="small"
            aria-label={m.catalogue_edition_edit_of({ edition: name[locale] })}
            onClick={onEdit}
          >
            {m.catalogue_edition_edit()}
          </Button>
        ) : null
      }
    />
  )
}
