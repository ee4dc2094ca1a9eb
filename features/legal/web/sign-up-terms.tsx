import { operator } from '#foundation/web/operator.ts'
import { TermsBox } from './terms-box.tsx'

/** The box of a sign-up; a page of a stranger knows the terms from the operator's details that came with it. */
export function SignUpTerms() {
  const { terms_version: version, terms_url: url } = operator
  return version !== undefined && url !== undefined ? <TermsBox version={version} url={url} /> : null
}
