import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The field for the name of a server, which a person types to confirm an act that is not undone by a click. */
export const TypedName = ({ name }: { name: string }) => (
  <TextField
    name="name"
    label={m.hosts_delete_confirm({ name })}
    required
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
  />
)
