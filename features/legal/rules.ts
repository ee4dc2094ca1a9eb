import type { TermsToAccept, Terms } from './contract.ts'

/** Returns the version of the terms that a form accepts by its box `terms`; nothing if the box is not ticked, or not in the form. */
export function acceptedTerms(fields: { text(name: string): string }): { terms?: string } {
  const terms = fields.text('terms')
  return terms === '' ? {} : { terms }
}

/** Returns the terms that the body of a refused order or top-up asks for; undefined if it was refused for another reason. */
export function termsToAccept(body: unknown): Terms | undefined {
  const { version, url } = (body ?? {}) as Partial<TermsToAccept>
  return version !== undefined && url !== undefined
    ? { current: { version, url }, accepted: null }
    : undefined
}
