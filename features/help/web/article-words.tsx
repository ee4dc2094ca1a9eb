import { useState } from 'react'
import type { HelpArticle } from '#features/help/staff-contract.ts'
import { KEYWORDS_LENGTH, TEXT_LENGTH, TITLE_LENGTH } from '#features/help/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { ArticlePreview } from './article-preview.tsx'

type WordsProps = { article: HelpArticle; language: Locale; isShown: boolean }

/** The words in one language. The other languages stay in the form, hidden, so that what was typed is kept. */
export function ArticleWords({ article, language, isShown }: WordsProps) {
  const [previewed, setPreviewed] = useState<string>()
  const id = `help-text-${language}`
  const toggle = () => {
    const field = document.querySelector<HTMLTextAreaElement>(`textarea[name="text.${language}"]`)
    setPreviewed(previewed === undefined ? (field?.value ?? '') : undefined)
  }
  return (
    <div hidden={!isShown} className="flex-col gap-4 not-[[hidden]]:flex">
      <TextField
        name={`title.${language}`}
        lang={language}
        label={m.help_article_title()}
        most={TITLE_LENGTH}
        defaultValue={article.title[language]}
        autoComplete="off"
      />
      <div className="flex justify-end">
        <Button size="small" aria-pressed={previewed !== undefined} aria-controls={id} onClick={toggle}>
          {previewed === undefined ? m.help_preview() : m.help_write()}
        </Button>
      </div>
      <div id={id}>
        <div hidden={previewed !== undefined}>
          <TextAreaField
            name={`text.${language}`}
            lang={language}
            label={m.help_article_text()}
            hint={m.help_article_hint()}
            rows={18}
            most={TEXT_LENGTH}
            defaultValue={article.text[language]}
          />
        </div>
        {previewed === undefined ? null : <ArticlePreview text={previewed} language={language} />}
      </div>
      <TextField
        name={`keywords.${language}`}
        lang={language}
        label={m.help_keywords()}
        hint={m.help_keywords_hint()}
        most={KEYWORDS_LENGTH}
        defaultValue={article.keywords[language]}
        autoComplete="off"
      />
    </div>
  )
}
