import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { useChoices } from './hooks.ts'

const Choices = lazyPart<{ open: boolean; onClose: () => void }>(() =>
  import('./choices-dialog.tsx').then((file) => file.ChoicesDialog),
)

/** The kinds that the bell tells: a part of the settings of a person. */
export function ChoicesCard() {
  const query = useChoices()
  const choose = useLazyDialog(Choices)
  if (isViewing()) return null
  return (
    <Card
      title={m.notifications_bell()}
      description={m.notifications_choices_text()}
      end={
        query.data ? (
          <Button size="small" {...choose.opener}>
            {m.notifications_choose()}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} failed={m.notifications_choices_failed()} waiting="h-12">
        {({ items }) => (
          <>
            <Facts
              facts={[
                {
                  name: m.notifications_in_bell(),
                  value: m.notifications_of({
                    count: String(items.filter(({ bell }) => bell).length),
                    all: String(items.length),
                  }),
                },
              ]}
            />
            {choose.open ? <Choices {...choose.dialog} /> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}
