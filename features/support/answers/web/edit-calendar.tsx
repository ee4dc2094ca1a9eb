import { changeAnswerCalendar, type AnswerTimes } from '#features/support/answers/contract.ts'
import {
  holidaysText,
  hoursText,
  readHolidays,
  readHours,
  type Open,
} from '#features/support/answers/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { endedBy, invalid, useTyped } from './as-form.ts'
import { weekdays } from './weekdays.ts'

const days = ['day1', 'day2', 'day3', 'day4', 'day5', 'day6', 'day7'] as const
type Typed = { version: number; zone: string; holidays: string } & Record<(typeof days)[number], string>

export function EditCalendar({ times, onClose }: { times: AnswerTimes; onClose: () => void }) {
  const names = weekdays()
  const { saved: text, known, asForm } = useTyped(times, typedOf)
  const form = useEditForm({
    saved: text,
    async save(changes, version) {
      const typed = { ...known(), ...changes }
      const hours = days.map((day) => readHours(typed[day]))
      const holidays = readHolidays(typed.holidays)
      const wrong = days.filter((_, place) => hours[place] === undefined)
      if (wrong.length > 0 || !holidays) return invalid([...wrong, ...(holidays ? [] : ['holidays'])])
      const body = {
        ...(changes.zone === undefined ? {} : { zone: changes.zone.trim() }),
        hours: hours.map((open): Open | null => open ?? null),
        holidays,
        version,
      }
      return asForm(await call(changeAnswerCalendar, { body }))
    },
    onDone: endedBy(onClose),
  })
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.answers_calendar()}
      description={m.answers_calendar_text()}
      form={form}
      act={m.ui_save()}
      label={m.answers_calendar()}
    >
      <TextField
        name="zone"
        label={m.answers_zone()}
        hint={m.answers_zone_hint()}
        most={64}
        defaultValue={text.zone}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <p className="text-sm text-muted">{m.answers_hours_hint()}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {days.map((day, place) => (
          <TextField
            key={day}
            name={day}
            label={names[place] ?? ''}
            most={20}
            defaultValue={text[day]}
            autoComplete="off"
            placeholder={m.answers_closed()}
          />
        ))}
      </div>
      <TextAreaField
        name="holidays"
        label={m.answers_holidays()}
        hint={m.answers_holidays_hint()}
        most={20_000}
        rows={5}
        defaultValue={text.holidays}
      />
    </FormDialog>
  )
}

function typedOf({ zone, hours, holidays, version }: AnswerTimes): Typed {
  const [day1 = '', day2 = '', day3 = '', day4 = '', day5 = '', day6 = '', day7 = ''] = hours.map(hoursText)
  return { zone, day1, day2, day3, day4, day5, day6, day7, holidays: holidaysText(holidays), version }
}
