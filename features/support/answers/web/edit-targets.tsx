import { useCallback } from 'react'
import { changeAnswerTargets, type AnswerTimes } from '#features/support/answers/contract.ts'
import { readTarget, targetText } from '#features/support/answers/rules.ts'
import { priorities } from '#features/support/tickets/rules.ts'
import { priorityText } from '#features/support/tickets/web/words.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { endedBy, invalid, useTyped } from './as-form.ts'

type Props = { times: AnswerTimes; edition: string | null; name: string; onClose: () => void }

/** The targets of an edition, or of all others; emptied, an edition counts with all others again. */
export function EditTargets({ times, edition, name, onClose }: Props) {
  const typed = useCallback((from: AnswerTimes) => typedOf(from, edition), [edition])
  const { saved: texts, known, asForm } = useTyped(times, typed)
  const form = useEditForm({
    saved: texts,
    async save(changes, version) {
      const all = { ...known(), ...changes }
      const items = priorities.map((priority) => ({
        priority,
        first_minutes: readTarget(all[`first_${priority}`]),
        next_minutes: readTarget(all[`next_${priority}`]),
      }))
      const wrong = items.flatMap(({ priority, first_minutes, next_minutes }) => [
        ...(first_minutes === undefined ? [`first_${priority}`] : []),
        ...(next_minutes === undefined ? [`next_${priority}`] : []),
      ])
      if (wrong.length > 0) return invalid(wrong)
      const given = items.map((item) => ({
        priority: item.priority,
        first_minutes: item.first_minutes ?? null,
        next_minutes: item.next_minutes ?? null,
      }))
      const isEmpty = given.every((item) => item.first_minutes === null && item.next_minutes === null)
      const body = { edition, items: isEmpty ? [] : given, version }
      return asForm(await call(changeAnswerTargets, { body }))
    },
    onDone: endedBy(onClose),
  })
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.answers_edit_targets({ edition: name })}
      description={m.answers_target_hint()}
      form={form}
      act={m.ui_save()}
      label={m.answers_targets()}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {priorities.flatMap((priority) => [
          <TextField
            key={`first_${priority}`}
            name={`first_${priority}`}
            label={m.answers_first_of({ priority: priorityText(priority) })}
            most={6}
            inputMode="decimal"
            defaultValue={texts[`first_${priority}`]}
            autoComplete="off"
          />,
          <TextField
            key={`next_${priority}`}
            name={`next_${priority}`}
            label={m.answers_next_of({ priority: priorityText(priority) })}
            most={6}
            inputMode="decimal"
            defaultValue={texts[`next_${priority}`]}
            autoComplete="off"
          />,
        ])}
      </div>
    </FormDialog>
  )
}

type Typed = { version: number } & Record<`${'first' | 'next'}_${(typeof priorities)[number]}`, string>

function typedOf({ targets, version }: AnswerTimes, edition: string | null): Typed {
  const items = targets.find((one) => one.edition === edition)?.items ?? []
  const hours = (priority: string, which: 'first_minutes' | 'next_minutes') =>
    targetText(items.find((item) => item.priority === priority)?.[which] ?? null)
  return {
    version,
    first_critical: hours('critical', 'first_minutes'),
    next_critical: hours('critical', 'next_minutes'),
    first_high: hours('high', 'first_minutes'),
    next_high: hours('high', 'next_minutes'),
    first_medium: hours('medium', 'first_minutes'),
    next_medium: hours('medium', 'next_minutes'),
    first_low: hours('low', 'first_minutes'),
    next_low: hours('low', 'next_minutes'),
    first_very_low: hours('very_low', 'first_minutes'),
    next_very_low: hours('very_low', 'next_minutes'),
  }
}
