import Download from 'lucide-react/icons/download'
import { saveCsv } from '#foundation/web/api/download.ts'
import { Button } from './button.tsx'

type Props = {
  label: string
  /** The name of the file, without its ending. */
  name: string
  content: () => string
}

/** The button that saves a table as a CSV file. */
export const CsvButton = ({ label, name, content }: Props) => (
  <Button
    size="small"
    icon={<Download size={16} aria-hidden="true" />}
    aria-label={label}
    onClick={() => saveCsv(content(), name)}
  >
    CSV
  </Button>
)
