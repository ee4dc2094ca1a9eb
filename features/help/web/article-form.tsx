import { useEffect, useMemo, useState } from 'react'
import type { HelpSection } from '#features/help/section-contract.ts'
import type { HelpArticle } from '#features/help/staff-contract.ts'
import { audiences } from '#features/help/rules.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { EditForm, SaveBar } from '#foundation/web/form/edit-form.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { refreshArticle } from './refresh.ts'
import { draftOf, saveArticle } from './article-draft.ts'
import { ArticleWords } from './article-words.tsx'
import { PlaceFields } from './section-dialogs.tsx'
import { shownIn } from './words.ts'

type Props = {
  article: HelpArticle
  sections: readonly HelpSection[]
  /** Called with true while there are words that are not saved. */
  onUnsaved: (isUnsaved: boolean) => void
}

/** The form of an article. A change that a colleague saves meanwhile is followed, or shown beside what was typed here (rule 45). */
export function ArticleForm({ article, sections, onUnsaved }: Props) {
  const locale = useLocale()
  const saved = useMemo(() => draftOf(article), [article])
  const [shown, setShown] = useState<Locale>(locale)
  const form = useEditForm({
    saved,
    save: async (changes, version) => {
      const answer = await saveArticle(article.id, changes, version)
      if (answer.status !== 200 && answer.errors[0]?.code !== 'changed')
        toastError(m.help_save_failed, answer)
      return answer
    },
    onDone: () => {
      refreshArticle()
      toastSuccess(() => m.help_saved())
    },
  })
  const isUnsaved = form.changes > 0 || form.pending
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved])
  return (
    <EditForm form={form} label={m.help_article()} layout="page">
      <Card title={m.help_words()} description={m.help_words_text()}>
        <div role="group" aria-label={m.help_language()} className="mb-4 flex flex-wrap gap-1">
          {locales.map((each) => (
            <Button
              key={each}
              size="small"
              look={each === shown ? 'secondary' : 'quiet'}
              aria-pressed={each === shown}
              onClick={() => setShown(each)}
            >
              {localeNames[each]}
            </Button>
          ))}
        </div>
        {locales.map((each) => (
          <ArticleWords key={each} article={article} language={each} isShown={each === shown} />
        ))}
      </Card>
      <Card title={m.help_place()}>
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              name="section_id"
              label={m.help_section()}
              defaultValue={article.section_id}
              options={sections.map(({ id, title }) => ({ value: id, label: shownIn(title, locale) }))}
            />
            <SelectField
              name="audience"
              label={m.help_audience()}
              defaultValue={article.audience}
              options={audiences.map((value) => ({ value, label: audienceTexts[value]() }))}
            />
          </div>
          <PlaceFields slug={article.slug} rank={String(article.rank)} />
        </div>
      </Card>
      <SaveBar form={form} />
    </EditForm>
  )
}

const audienceTexts = { everybody: m.help_for_everybody, staff: m.help_for_staff } as const
