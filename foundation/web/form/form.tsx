import { use } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { RequestNumber } from '#foundation/web/ui/request-number.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import type { ButtonVariant } from '#foundation/web/ui/button.tsx'
import { FormContext } from './form-context.ts'
import type { FormHandle } from './use-form.ts'

type Props = {
  form: FormHandle
  label?: string | undefined
  /** `page` lays out the form's content in the column of the page, together with the elements outside the form. */
  layout?: 'stack' | 'page'
  children: ReactNode
}

/** A form. Errors that belong to no field are shown on top, all others at their fields. */
export function Form({ form, label, layout = 'stack', children }: Props) {
  const { attach, general, requestId, onInput, onSubmit } = form
  return (
    <form
      ref={attach}
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onInput={onInput}
      className={layout === 'page' ? 'contents' : 'flex flex-col gap-4'}
    >
      {general.length > 0 ? (
        <Alert tone="danger" live>
          {general.map((error) => (
            <p key={`${error.code} ${error.param}`}>{errorText(error)}</p>
          ))}
          {requestId === undefined ? null : <RequestNumber id={requestId} />}
        </Alert>
      ) : null}
      <FormContext value={form}>{children}</FormContext>
    </form>
  )
}

type SubmitProps = {
  look?: ButtonVariant
  wide?: boolean
  disabled?: boolean
  icon?: ReactNode
  children: ReactNode
}

/** Submits the form that it is in, and shows a spinner while the form is being sent. */
export function SubmitButton({ look = 'primary', ...rest }: SubmitProps) {
  const { pending } = use(FormContext)
  return <Button {...rest} type="submit" look={look} pending={pending} />
}
