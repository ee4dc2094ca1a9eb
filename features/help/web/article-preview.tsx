import { Fragment } from 'react'
import { partsOf } from '#features/help/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { MarkedBlocks } from '#foundation/web/ui/marked-text.tsx'
import { m } from '#texts/messages.js'

/** An article as its page shows it. */
export function ArticlePreview({ text, language }: { text: string; language: Locale }) {
  const parts = partsOf(text, window.location.origin)
  return (
    <div
      lang={language}
      role="region"
      aria-label={m.help_preview()}
      className="flex min-h-40 flex-col gap-3 rounded-md border border-line p-4"
    >
      {parts.length === 0 ? <p className="text-sm text-muted">{m.help_preview_empty()}</p> : null}
      {parts.map((part, place) => (
        // The parts of a text keep their places.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={place}>
          {'blocks' in part ? (
            <MarkedBlocks blocks={part.blocks} />
          ) : part.level === 2 ? (
            <h3 className="mt-2 font-semibold">{part.heading}</h3>
          ) : (
            <h4 className="mt-1 text-sm font-semibold">{part.heading}</h4>
          )}
        </Fragment>
      ))}
    </div>
  )
}
