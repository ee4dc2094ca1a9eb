import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { previewMail, type MailKindPage, type MailText } from '#features/operations/mail-contract.ts'
import type { Locale } from '#foundation/locale.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'

type Props = { page: MailKindPage; params: { kind: string; locale: Locale } }

/** Real mails with what was typed when the button was pressed; before, as they are sent now. */
export function MailPreview({ page, params }: Props) {
  const [words, setWords] = useState<Record<string, string>>()
  const typed = useQuery({
    ...queryFor(previewMail, { params, body: { words: words ?? {} } }),
    enabled: words !== undefined,
    gcTime: 0,
    retry: false,
  })
  const query = words === undefined ? { ...typed, data: page, error: null } : typed
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button
          onClick={({ currentTarget: { form } }) => setWords(form ? wordsIn(form, page.texts) : undefined)}
        >
          {m.operations_mails_preview()}
        </Button>
      </div>
      <Loaded query={query} failed={m.operations_mails_failed()} waiting="h-24">
        {({ examples }) => (
          <div lang={params.locale} className="flex flex-col gap-3">
            {examples.map(({ subject, text }) => (
              <details key={text} className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
                <summary className="cursor-pointer font-medium">{subject}</summary>
                <p className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
              </details>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  )
}

function wordsIn(form: HTMLFormElement, texts: readonly MailText[]): Record<string, string> {
  const typed = new FormData(form)
  const wordsOf = (name: string) => {
    const words = typed.get(name)
    return typeof words === 'string' ? words : ''
  }
  return Object.fromEntries(texts.map(({ name }) => [name, wordsOf(name)]))
}
