import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The fields of an act that needs another address, and how the person has proved who they are: `email` and `identity`. */
export const AddressAndIdentity = ({ label }: { label: string }) => (
  <>
    <EmailField name="email" label={label} autoComplete="off" required />
    <TextField
      name="identity"
      label={m.customers_move_identity()}
      hint={m.customers_move_identity_hint()}
      autoComplete="off"
      required
    />
  </>
)
