// The words by which banks say in which direction money went, and whether it is booked.

const set = (words: string) => new Set(words.split('|'))

const OUT = set(
  's|soll|d|dr|db|dt|deb|debit|debet|débit|debito|débito|dbit|af|uit|out|outgoing|sent|ausgang|ausgehend|ausgabe|ausgaben|belastung|lastschrift|auszahlung|abgang|zulasten|zu lasten|withdrawal|withdrawals|paid out|money out|expense|uscita|uscite|addebito|addebiti|cargo|cargos|sortie|dépense|prélèvement|obciążenie|wypłata|расход|дебет|списание|-',
)
const IN = set(
  'h|haben|c|cr|credit|crédit|credito|crédito|crdt|kredit|bij|in|incoming|received|eingang|eingehend|einnahme|einnahmen|gutschrift|einzahlung|zugang|zugunsten|zu gunsten|deposit|deposits|paid in|money in|income|entrata|entrate|accredito|accrediti|abono|abonos|entrée|recette|uznanie|wpłata|приход|кредит|зачисление|+',
)

const plainly = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(/[\u{2010}-\u{2015}\u{2212}]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns the direction that a cell says; undefined for any other word. */
export function directionIn(cell: string): 'in' | 'out' | undefined {
  const word = plainly(cell).replace(/\.$/, '')
  return OUT.has(word) ? 'out' : IN.has(word) ? 'in' : undefined
}

/** True if one of the words in a longer text says that money went out. */
export const mentionsOut = (cell: string): boolean =>
  plainly(cell)
    .split(/[^\p{L}]+/u)
    .some((word) => word.length > 2 && OUT.has(word))

const PENDING = set(
  'offen|vorgemerkt|vormerkung|vorgemerkter umsatz|ausstehend|reserviert|reservierung|geplant|terminiert|in bearbeitung|nicht gebucht|noch nicht gebucht|unverbucht|umsatz vorgemerkt|pending|pdng|reserved|open|processing|scheduled|unbooked|not booked|authorised|authorized|declined|failed|cancelled|canceled|rejected|abgelehnt|fehlgeschlagen|abgebrochen|in afwachting|gereserveerd|en attente|in attesa|pendiente|oczekująca|в обработке|ожидает|отклонён|отклонен|отменён|отменен',
)
const BOOKED = set(
  'gebucht|verbucht|umsatz gebucht|abgeschlossen|ausgeführt|erledigt|booked|book|completed|complete|cleared|settled|posted|done|executed|success|successful|geboekt|comptabilisé|contabilizzato|contabilizado|zaksięgowano|выполнено|проведено|исполнено',
)

/** Returns the state that a cell says: booked, or pending, which includes money that never moved; undefined for any other word. */
export function stateIn(cell: string): 'booked' | 'pending' | undefined {
  const word = plainly(cell).replace(/^\((.*)\)$|[.*]$/, '$1')
  return PENDING.has(word) ? 'pending' : BOOKED.has(word) ? 'booked' : undefined
}

const TOTAL =
  /^(?:(?:neuer|alter|anfangs|end|opening|closing|new|old|start)[\s-]?)?(?:kontostand|saldo|saldi|summe|gesamtsumme|gesamt|balance|total|solde|итого|остаток)(?:\s+(?:am|vom|per|in|on|of))?[\s\d.,/-]*(?:[a-z]{3})?:?$/i

/** True for the label of a line that gives a balance or a sum, and no payment. */
export const isTotal = (cell: string): boolean => TOTAL.test(cell.trim())
