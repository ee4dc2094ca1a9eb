import { CopyButton } from './copy-button.tsx'

/** A text for machines, such as a shell command, a token or a signed document, with its name and a button that copies it. */
export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div className="text-sm">
      <p className="mb-1.5 font-medium">{label}</p>
      <div className="flex items-start gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-xs leading-5 break-all select-all">{text}</code>
        <CopyButton text={text} />
      </div>
    </div>
  )
}
