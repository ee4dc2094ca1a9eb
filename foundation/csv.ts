/** Marks a file as UTF-8: without this mark, spreadsheets read it in the code page of their country. */
export const UTF8_MARK = '\uFEFF'

/** One line of a file that spreadsheets open. RFC 4180: a cell is quoted if a comma, a quote or a line break would be read as structure. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

/** A cell for text that people typed. The attack is a host called `=HYPERLINK(…)`, which a spreadsheet would run as a formula. */
export const textCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
