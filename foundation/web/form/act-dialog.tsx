import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import type { FormFields } from './form-fields.ts'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'
import { useIntention } from './intention.ts'
import { useForm, type FormError } from './use-form.ts'

type Headers = { 'idempotency-key': string }

/** Sends `content` by `call`, with the idempotency key of this intention in the headers (rule 10). Undefined if the proof was not given. */
export type Send = <A extends AnswerStatus>(
  content: unknown,
  call: (headers: Headers) => Promise<A>,
) => Promise<A | undefined>

type Props = Omit<FormDialogProps, 'form' | 'proof'> & {
  /** Reads the fields and sends the action. Returns the refusal to show, or undefined if the action is done or given up. */
  submit: (fields: FormFields, send: Send) => Promise<FormError | undefined | void>
  /** The id of the thing that the action is about, where its title does not name that one alone (`kept-forms.ts`). */
  about?: string | undefined
}

/** The dialog of all acts of staff: a proof of identity if the call asks for one, and one effect for all tries. */
export function ActDialog({ submit, about, ...dialog }: Props) {
  const intend = useIntention()
  const { withProof, dialog: proof } = useReauthentication()
  const form = useForm(
    (fields) => submit(fields, (content, call) => withProof(() => intend(content, call))),
    { about },
  )
  return <FormDialog {...dialog} form={form} proof={proof} />
}
