import { operator } from '#foundation/web/operator.ts'
import { TermsBox } from './terms-box.tsx'

/** The box in the sign-up form. Nobody is signed in there, so the terms come from the operator's details in the page. */
export function SignUpTerms() {
  const { terms_version: version, terms_url: url } = operator
  return version !== undefined && url !== undefined ? <TermsBox version={version} url={url} /> : null
}
