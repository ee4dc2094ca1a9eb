import type { TermsToAccept } from '#features/legal/contract.ts'
import { m } from '#texts/messages.js'

/** A link to the terms that opens another tab, so that text typed into a form stays. */
export function TermsLink({ version, url }: TermsToAccept) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm py-0.5 text-accent-text underline underline-offset-2"
    >
      {m.legal_read({ version })}
    </a>
  )
}
