/**
 * Declines after which no other charge of the method can succeed. Source: https://docs.stripe.com/declines/codes and the codes of failed direct
 * debits, https://docs.stripe.com/payments/sepa-debit, as of January 2026. Too little money is none: it may be there tomorrow.
 */
const final: ReadonlySet<string> = new Set([
  'account_closed',
  'bank_account_closed',
  'card_not_supported',
  'debit_not_authorized',
  'expired_card',
  'fraudulent',
  'incorrect_number',
  'invalid_account',
  'invalid_account_number',
  'invalid_mandate',
  'lost_card',
  'mandate_invalid',
  'no_account',
  'payment_method_unexpected_state',
  'pickup_card',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'stolen_card',
  'stop_payment_order',
])

export const isFinalDecline = (code: string): boolean => final.has(code)
