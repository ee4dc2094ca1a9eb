import type { Rule } from './tree.ts'

/**
 * The commands of docs/operate, given by their beginnings, each with the test that runs it and the piece of code by which it does. The
 * test may use other folders and names, but it must do the same as the command.
 */
const tried: readonly (readonly [command: string, test: string, words: string])[] = [
  ['hostdesk backup /', 'tests/faults/operate/documented-commands.test.ts', 'run(plain)'],
  ['age-keygen -o ', 'tests/faults/operate/documented-commands.test.ts', 'run(keygen)'],
  ['BACKUP_RECIPIENTS=', 'tests/faults/operate/documented-commands.test.ts', 'run(encrypted)'],
  ['hostdesk backup --with-keys ', 'tests/faults/operate/documented-commands.test.ts', 'run(withKeys'],
  ['hostdesk backup verify ', 'tests/faults/operate/documented-commands.test.ts', 'run(verify'],
  ['hostdesk restore --drill ', 'tests/faults/operate/documented-commands.test.ts', 'run(drill'],
  [
    'create role hostdesk_backup ',
    'tests/faults/operate/point-in-time.test.ts',
    'create role hostdesk_backup login bypassrls',
  ],
  [
    'grant pg_read_all_data ',
    'tests/faults/operate/point-in-time.test.ts',
    'grant pg_read_all_data to hostdesk_backup',
  ],
  ['pg_dump -Fc ', 'tests/faults/operate/point-in-time.test.ts', "'pg_dump', '-Fc'"],
  [
    'pg_restore --exit-on-error ',
    'tests/faults/operate/point-in-time.test.ts',
    "'pg_restore', '--exit-on-error'",
  ],
  ['pg_basebackup -D ', 'tests/faults/operate/point-in-time.test.ts', "'pg_basebackup', '-D'"],
  ['echo "restore_command = ', 'tests/faults/operate/point-in-time.test.ts', "restore_command = 'cp"],
  ['recovery_target_time = ', 'tests/faults/operate/point-in-time.test.ts', 'recovery_target_time = '],
  [
    'recovery_target_action = ',
    'tests/faults/operate/point-in-time.test.ts',
    "recovery_target_action = 'promote'",
  ],
  ['touch DATA/recovery.signal', 'tests/faults/operate/point-in-time.test.ts', 'recovery.signal'],
  [
    'pgbackrest --stanza=hostdesk stanza-create',
    'tests/faults/operate/point-in-time.test.ts',
    "pgbackrest('stanza-create')",
  ],
  ['pgbackrest --stanza=hostdesk check', 'tests/faults/operate/point-in-time.test.ts', "pgbackrest('check')"],
  [
    'pgbackrest --stanza=hostdesk --type=full backup',
    'tests/faults/operate/point-in-time.test.ts',
    "pgbackrest('--type=full'",
  ],
  [
    'pgbackrest --stanza=hostdesk --delta ',
    'tests/faults/operate/point-in-time.test.ts',
    "pgbackrest('--delta'",
  ],
  ['tar -xzf hostdesk-', 'tests/faults/operate/release.test.ts', "'-xzf'"],
  ['hostdesk-0.1.0/bin/hostdesk start', 'tests/faults/operate/release.test.ts', "hostdesk, 'start'"],
  [
    'create role hostdesk login createrole createdb',
    'tests/faults/operate/point-in-time.test.ts',
    'create role hostdesk login createrole createdb',
  ],
  [
    'create database hostdesk owner hostdesk',
    'tests/faults/operate/point-in-time.test.ts',
    'create database hostdesk owner hostdesk',
  ],
  [
    'curl -sI https://account.example.com/account/ ',
    'tests/faults/operate/proxy.test.ts',
    '`${url}/account/`',
  ],
  ['curl -s https://account.example.com/readyz', 'tests/faults/operate/proxy.test.ts', '`${url}/readyz`'],
  ['curl -so /dev/null ', 'tests/faults/operate/proxy.test.ts', '`${url}/metrics`)).status).toBe(404)'],
  ['hostdesk doctor', 'tests/system/doctor.test.ts', "commands['doctor']"],
  [
    'create role hostdesk_pool ',
    'tests/faults/operate/pgbouncer.test.ts',
    'create role hostdesk_pool login in role hostdesk_app',
  ],
  [
    'alter role hostdesk_pool set ',
    'tests/faults/operate/pgbouncer.test.ts',
    'alter role hostdesk_pool set timezone',
  ],
  [
    'hostdesk database upgrade ',
    'tests/faults/operate/next-major.test.ts',
    "'database', 'upgrade', programs",
  ],
  ['hostdesk create-staff ', 'tests/start/command-line.test.ts', "'create-staff', 'Boss@Example.com'"],
  ['hostdesk staff role ', 'tests/system/commands-by-address.test.ts', "run('staff role'"],
  ['hostdesk staff revoke ', 'tests/system/commands-by-address.test.ts', "['staff role', 'staff revoke']"],
  ['hostdesk transfer import statement.xml --dry-run', 'tests/system/exit-codes.test.ts', "'--dryRun'"],
  ['hostdesk transfer reread', 'tests/system/exit-codes.test.ts', "['transfer reread']"],
  ['hostdesk transfer import ', 'tests/system/exit-codes.test.ts', "['transfer import', statement]"],
  ['hostdesk transfer list', 'tests/system/exit-codes.test.ts', "['transfer list']"],
  ['hostdesk transfer confirm ', 'tests/system/exit-codes.test.ts', "['transfer confirm'"],
  ['hostdesk refund ', 'tests/system/exit-codes.test.ts', "['refund'"],
  ['hostdesk charge-back ', 'tests/system/exit-codes.test.ts', "['charge-back'"],
  ['hostdesk transfer reject ', 'tests/system/exit-codes.test.ts', "'--reason=No money came'"],
  ['hostdesk invoice reissue ', 'tests/system/exit-codes.test.ts', "['invoice reissue', sold.invoice.number"],
  ['hostdesk vat check ', 'tests/system/exit-codes.test.ts', "['vat check', austrian.email]"],
  ['hostdesk invoice list ', 'tests/system/exit-codes.test.ts', "['invoice list', '--kind=invoice']"],
  ['hostdesk announcement list', 'tests/system/exit-codes.test.ts', "['announcement list']"],
  ['hostdesk plan retire ', 'tests/system/exit-codes.test.ts', "['plan retire'"],
  ['hostdesk plan replace ', 'tests/system/exit-codes.test.ts', "['plan replace'"],
  ['hostdesk plan keep ', 'tests/system/exit-codes.test.ts', "['plan keep'"],
  ['hostdesk announcement write ', 'tests/system/exit-codes.test.ts', "['announcement write'"],
  ['hostdesk announcement news-readers ', 'tests/system/exit-codes.test.ts', "['announcement news-readers'"],
  ['hostdesk announcement publish ', 'tests/system/exit-codes.test.ts', "['announcement publish'"],
  ['hostdesk rates import ', 'tests/system/exit-codes.test.ts', "['rates import', rates]"],
  ['hostdesk hold begin ', 'tests/system/exit-codes.test.ts', "['hold begin'"],
  ['hostdesk hold list', 'tests/system/exit-codes.test.ts', "['hold list']"],
  ['hostdesk hold end ', 'tests/system/exit-codes.test.ts', "['hold end', '1']"],
  ['hostdesk jobs failed', 'tests/system/exit-codes.test.ts', "['jobs failed']"],
  ['hostdesk jobs retry ', 'tests/system/exit-codes.test.ts', "['jobs retry'"],
  ['hostdesk mails dead', 'tests/system/exit-codes.test.ts', "['mails dead']"],
  ['hostdesk mails retry ', 'tests/system/exit-codes.test.ts', "['mails retry'"],
  ['hostdesk plan edit ', 'tests/system/exit-codes.test.ts', "'--from=2126-12-01'"],
  ['hostdesk plan move ', 'tests/system/exit-codes.test.ts', "['plan move'"],
  ['hostdesk plan price ', 'tests/system/exit-codes.test.ts', "['plan price'"],
  ['hostdesk edition list', 'tests/system/exit-codes.test.ts', "['edition list']"],
  ['hostdesk edition add ', 'tests/system/exit-codes.test.ts', "['edition add'"],
  ['hostdesk edition edit ', 'tests/system/exit-codes.test.ts', "['edition edit'"],
  ['hostdesk extra add ', 'tests/system/exit-codes.test.ts', "['extra add'"],
  ['hostdesk extra edit ', 'tests/system/exit-codes.test.ts', "['extra edit'"],
  ['hostdesk extra list', 'tests/system/exit-codes.test.ts', "['extra list']"],
  ['hostdesk extra retire ', 'tests/system/exit-codes.test.ts', "['extra retire'"],
  ['hostdesk plan list', 'tests/system/exit-codes.test.ts', "['plan list']"],
  ['hostdesk promo add ', 'tests/system/exit-codes.test.ts', "['promo add', 'SUMMER', '20%'"],
  ['hostdesk promo list', 'tests/system/exit-codes.test.ts', "['promo list']"],
  ['hostdesk promo end ', 'tests/system/exit-codes.test.ts', "['promo end', 'SUMMER']"],
  ['hostdesk voucher make ', 'tests/system/exit-codes.test.ts', "'--note=Fair'"],
  ['hostdesk voucher list', 'tests/system/exit-codes.test.ts', "['voucher list']"],
  ['hostdesk voucher void ', 'tests/system/exit-codes.test.ts', "['voucher void', '1']"],
  ['hostdesk approval list', 'tests/system/commands-by-address.test.ts', "commands['approval list']"],
  ['hostdesk staff list', 'tests/system/commands-by-address.test.ts', "commands['staff list']"],
]

const COMMANDS = ['sh', 'sql']
const OTHERS = ['conf', 'dns', 'ini', 'settings', 'yaml']

/** An operator copies the lines of a block: a test has run each line, or the page says that the block was not tried. */
export const operateCommands: Rule = ({ paths, read }) =>
  paths
    .filter((path) => /^docs\/operate\/[\w-]+\.md$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^```(\w*)\n([\s\S]*?)^```\n(?=(.*))/gm)].flatMap(
        ([, kind = '', block = '', next = '']) => {
          if (OTHERS.includes(kind)) return []
          if (!COMMANDS.includes(kind))
            return [`${path}: a block has to say what it is: one of ${[...COMMANDS, ...OTHERS].join(', ')}.`]
          if (next.startsWith('*(not tried here')) return []
          return block
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('#') && !isTried(line, { paths, read }))
            .map(
              (line) =>
                `${path}: no test of operate-commands.ts runs '${line}'. Write one, or *(not tried here: …)* behind the block.`,
            )
        },
      ),
    )

const isTried = (line: string, { paths, read }: Parameters<Rule>[0]): boolean =>
  tried.some(
    ([command, test, words]) =>
      line.startsWith(command) && paths.includes(test) && read(test).includes(words),
  )
