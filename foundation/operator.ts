/** The operator of this installation, as the pages show it. Unset values are left out. */
export type Operator = {
  name: string
  /** The URL of the logo; the pages draw a mark of their own without one. */
  logo?: string
  support_email?: string
  imprint_url?: string
  privacy_url?: string
  terms_url?: string
  /** Set where customers accept the terms, in this version. */
  terms_version?: string
  withdrawal_url?: string
}

/** The name of the meta element that carries the operator into the page, as JSON. */
export const OPERATOR_META = 'operator'
