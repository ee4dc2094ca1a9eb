import FileSearch from 'lucide-react/icons/file-search'
import { useRef, useState } from 'react'
import { useAct } from '#foundation/web/use-act.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { checkFiles, publishedTrust, type Result } from './check-files.ts'
import { CheckResults } from './check-results.tsx'
import { canVerify } from './verify.ts'

type State = { results: readonly Result[] } | { failed: 'unsupported' | 'unreachable' }

/** The card that checks statements whose files are dropped on it or chosen. The files stay in the browser. */
export function CheckStatement() {
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<State>()
  const [isOver, setOver] = useState(false)
  const checking = useAct(async (files: readonly File[]) => setState(await judge(files)))
  return (
    <Card title={m.statements_check()} description={m.statements_check_text()} footer={<Offline />}>
      <div className="flex flex-col gap-4">
        <div
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            checking.run([...event.dataTransfer.files])
          }}
          className={`flex flex-col items-center gap-3 rounded-md border border-dashed px-5 py-8 text-center text-sm text-muted ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
        >
          <p>{m.statements_drop()}</p>
          <Button
            icon={<FileSearch size={16} aria-hidden="true" />}
            pending={checking.pending}
            onClick={() => input.current?.click()}
          >
            {m.statements_choose()}
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept=".json,.pdf,.xml"
            aria-label={m.statements_choose()}
            onChange={(event) => {
              const files = [...(event.target.files ?? [])]
              // A second choice of the same file must fire a change event again.
              event.target.value = ''
              if (files.length > 0) checking.run(files)
            }}
          />
        </div>
        {state && 'failed' in state ? (
          <Alert tone="warning" live>
            {state.failed === 'unsupported' ? m.statements_unsupported() : m.statements_unreachable()}
          </Alert>
        ) : null}
        {state && 'results' in state ? <CheckResults results={state.results} /> : null}
      </div>
    </Card>
  )
}

async function judge(files: readonly File[]): Promise<State> {
  if (!(await canVerify())) return { failed: 'unsupported' }
  const trust = await publishedTrust()
  return trust ? { results: await checkFiles(files, trust) } : { failed: 'unreachable' }
}

/** The files by which statements are checked without this page. */
const Offline = () => (
  <p className="text-pretty">
    <span className="mr-3">{m.statements_offline()}</span>
    {['verify-statement.mjs', 'statement-keys.json', 'statement-roots.json'].map((name) => (
      <a
        key={name}
        href={`/.well-known/${name}`}
        download={name}
        className="mr-3 inline-block font-medium text-accent-text underline"
      >
        {name}
      </a>
    ))}
  </p>
)
