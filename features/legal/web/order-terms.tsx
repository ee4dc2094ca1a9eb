import { useTermsToAccept } from './hooks.ts'
import { TermsBox } from './terms-box.tsx'

/** The box in an order or a top-up, for customers who have not accepted the terms. */
export function OrderTerms() {
  const asked = useTermsToAccept()
  return asked ? <TermsBox {...asked} /> : null
}
