import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { readSystem } from '#features/operations/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay, useMayWork } from '#features/team/web/team.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/**
 * The notice above the first pages of staff while customers lack something: a way to pay, a plan, the operator's name. Only those who may
 * read System get it. It goes with the next look after the last thing is mended, here or on System.
 */
export function MissingNotice() {
  const id = useId()
  const mayWork = useMayWork(true)
  const mayRead = useMay('system.read')
  const { data } = useQuery({ ...queryFor(readSystem), enabled: mayWork && mayRead })
  const lacksPlan = data?.warnings.includes('no_plan') ?? false
  if (!data || (!lacksPlan && data.missing.length === 0)) return null
  return (
    <section aria-labelledby={id} className="mx-auto mb-6 w-full max-w-[70rem] print:hidden">
      <Alert tone="warning">
        <h2 id={id} className="font-medium">
          {m.operations_missing()}
        </h2>
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-4">
          {lacksPlan ? <li>{m.operations_system_no_plan()}</li> : null}
          {data.missing.map((line) => (
            <li key={line} lang="en" className="[overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
        <p className="mt-1">
          <TextLink to={paths.system()}>{m.operations_system()}</TextLink>
        </p>
      </Alert>
    </section>
  )
}
