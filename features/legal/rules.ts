import type { TermsToAccept, Terms } from './contract.ts'

/** The version of the terms that a form with their box accepts; nothing where it is not ticked, or not there. */
export function acceptedTerms(fields: { text(name: string): string }): { terms?: string } {
  const terms = fields.text('terms')
  return terms === '' ? {} : { terms }
}

/** The state of the terms as a refused order or top-up knows it; undefined where it was refused for something else. */
export function termsToAccept(body: unknown): Terms | undefined {
  const { version, url } = (body ?? {}) as Partial<TermsToAccept>
  return version !== undefined && url !== undefined
    ? { current: { version, url }, accepted: null }
    : undefined
}
