import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The fields of a bank account. An IBAN may be typed with blanks, as it is printed. */
export const AccountFields = () => (
  <>
    <TextField
      name="iban"
      label={m.finance_bank_iban()}
      hint={m.payouts_iban_hint()}
      autoComplete="off"
      required
    />
    <TextField
      name="holder"
      label={m.payouts_holder()}
      hint={m.payouts_holder_hint()}
      most={70}
      autoComplete="name"
      required
    />
  </>
)
