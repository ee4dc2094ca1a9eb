import type { HelpSection } from '#features/help/section-contract.ts'
import { createHelpArticle, listHelp } from '#features/help/staff-contract.ts'
import { TITLE_LENGTH } from '#features/help/rules.ts'
import { paths } from '#features/paths.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { PlaceFields } from './section-dialogs.tsx'
import { shownIn } from './words.ts'

/** Begins an article; its page opens, on which it is written. */
export function NewArticle({ sections, ...dialog }: DialogProps & { sections: readonly HelpSection[] }) {
  const locale = useLocale()
  const go = useGo()
  return (
    <ActDialog
      {...dialog}
      title={m.help_article_new()}
      act={m.help_article_write()}
      submit={async (fields, send) => {
        const body = {
          section_id: fields.text('section_id'),
          slug: fields.text('slug'),
          rank: Number(fields.text('rank')),
          title: { [locale]: fields.text(`title.${locale}`) },
        }
        const answer = await send(body, (headers) => call(createHelpArticle, { headers, body }))
        if (!answer) return undefined
        refreshQueries(listHelp)
        if (answer.status !== 201) return answer
        await go(paths.helpArticle(answer.body.id))
        return undefined
      }}
    >
      <TextField
        name={`title.${locale}`}
        lang={locale}
        label={m.help_title_in({ language: localeNames[locale] })}
        most={TITLE_LENGTH}
        autoComplete="off"
      />
      <SelectField
        name="section_id"
        label={m.help_section()}
        options={sections.map(({ id, title }) => ({ value: id, label: shownIn(title, locale) }))}
      />
      <PlaceFields slug="" rank="100" />
    </ActDialog>
  )
}
