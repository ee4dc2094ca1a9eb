/** The operator of this installation, as the pages show it. Unset values are left out. */
export type Operator = {
  name: string
  /** The URL of the logo. Without it the pages draw the mark of the product. */
  logo?: string
  support_email?: string
  imprint_url?: string
  privacy_url?: string
  terms_url?: string
  /** The version of the terms that customers must accept; unset if they need not accept any. */
  terms_version?: string
  withdrawal_url?: string
}

/** The name of the meta element that carries the operator into the page, as JSON. */
export const OPERATOR_META = 'operator'
