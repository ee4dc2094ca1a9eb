import { useState } from 'react'
import type { AnswerTimes } from '#features/support/answers/contract.ts'
import { ActionMenu } from '#features/support/desk/web/action-menu.tsx'
import { priorities } from '#features/support/tickets/rules.ts'
import { priorityText } from '#features/support/tickets/web/words.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatNumber } from '#foundation/web/i18n/number.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { EditTargets } from './edit-targets.tsx'

type Targets = AnswerTimes['targets'][number]

/** The targets of all others and of each edition that has its own: a table of hours to the first and to the next answer. */
export function AnswerTargetsCard({ times }: { times: AnswerTimes }) {
  const locale = useLocale()
  const [editing, setEditing] = useState<{ edition: string | null }>()
  const nameOf = (edition: string | null) =>
    edition === null
      ? m.answers_everybody()
      : (times.editions.find(({ slug }) => slug === edition)?.name[locale] ?? edition)
  const without = times.editions.filter(({ slug }) => !times.targets.some(({ edition }) => edition === slug))
  return (
    <Card
      title={m.answers_targets()}
      description={m.answers_targets_text()}
      actions={
        times.may_change && without.length > 0 ? (
          <ActionMenu label={m.answers_add_targets()} text={m.answers_add_targets()}>
            {without.map(({ slug }) => (
              <MenuItem key={slug} onSelect={() => setEditing({ edition: slug })}>
                {nameOf(slug)}
              </MenuItem>
            ))}
          </ActionMenu>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-5">
        {times.targets.map((targets) => (
          <section key={targets.edition} className="flex flex-col gap-2">
            <div className="flex items-center justify-between gap-3">
              <h3 className="font-medium">{nameOf(targets.edition)}</h3>
              {times.may_change ? (
                <Button
                  size="small"
                  aria-label={m.answers_edit_targets({ edition: nameOf(targets.edition) })}
                  onClick={() => setEditing({ edition: targets.edition })}
                >
                  {m.answers_edit()}
                </Button>
              ) : null}
            </div>
            <TargetTable name={nameOf(targets.edition)} targets={targets} />
          </section>
        ))}
      </div>
      {editing ? (
        <EditTargets
          times={times}
          edition={editing.edition}
          name={nameOf(editing.edition)}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
    </Card>
  )
}

function TargetTable({ name, targets }: { name: string; targets: Targets }) {
  return (
    <table aria-label={name} className="w-full text-left text-sm">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 pr-3 font-medium">
            {m.tickets_priority()}
          </th>
          <th scope="col" className="py-1 pr-3 font-medium">
            {m.answers_first()}
          </th>
          <th scope="col" className="py-1 font-medium">
            {m.answers_next()}
          </th>
        </tr>
      </thead>
      <tbody>
        {priorities.map((priority) => {
          const target = targets.items.find((item) => item.priority === priority)
          return (
            <tr key={priority} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 font-normal">
                {priorityText(priority)}
              </th>
              <td className="py-1.5 pr-3">{shown(target?.first_minutes ?? null)}</td>
              <td className="py-1.5">{shown(target?.next_minutes ?? null)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const shown = (minutes: number | null): string =>
  minutes === null ? m.answers_none() : m.answers_hours({ hours: formatNumber(minutes / 60) })
