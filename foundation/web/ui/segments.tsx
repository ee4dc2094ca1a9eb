type Option<Value extends string> = {
  value: Value
  text: string
  /** A short note about the option in another colour, such as the saving. */
  note?: string | undefined
}

type Props<Value extends string> = {
  name: string
  label: string
  /** True if the label is only read out, because the surroundings of the choice show it. */
  isLabelHidden?: boolean
  options: readonly Option<Value>[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** All options get the width of the widest, or what its words need. */
const EQUAL = { gridAutoColumns: 'minmax(min-content, 1fr)' }

/** A choice of one among a few options, which are side by side (a segmented control). It is for choices that change the content below. */
export function Segments<Value extends string>({
  name,
  label,
  isLabelHidden,
  options,
  chosen,
  onChoose,
}: Props<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{label}</legend>
      <div className="grid grid-flow-col gap-1 overflow-x-auto rounded-md bg-hover p-1" style={EQUAL}>
        {options.map(({ value, text, note }) => (
          <label key={value} className={segmentClass}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            <span>{text}</span>
            {note === undefined ? null : (
              <span className="text-xs font-medium text-success-text">{note}</span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const segmentClass =
  'relative flex min-h-9 cursor-pointer flex-wrap items-center justify-center gap-x-2 rounded-sm border ' +
  'border-transparent px-2 py-1 text-center text-sm text-muted transition-colors duration-150 hover:text-text ' +
  'has-checked:bg-surface has-checked:font-medium has-checked:text-text ' +
  'has-focus-visible:outline-2 has-focus-visible:outline-accent-text'
